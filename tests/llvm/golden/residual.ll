; blas{block: 512, panel_rows: 512, tail_width: 1, width: 16} in mode default
; kernel residual {
;   axis i: m
;   axis j: n
;   axis k: l
;   in x: f32[m, l]
;   in w: f32[l, n]
;   in r: f32[m, n]
;   out y: f32[m, n]
;   %0: f32 (i, k) = load() {param: x, map: [i, k]}
;   %1: f32 (j, k) = load() {param: w, map: [k, j]}
;   %2: f32 (i, j) = contract(%0, %1) {dtype: f32, axes: [k], precision: split}
;   %3: f32 (i, j) = load() {param: r, map: [i, j]}
;   %4: f32 (i, j) = add(%2, %3)
;   store(%4) {param: y, map: [i, j]}
; }

define void @sinter_residual_epilogue(ptr noalias readonly %arguments, i64 %begin, i64 %end) {
entry:
  %n.slot = getelementptr i64, ptr %arguments, i64 0
  %n = load i64, ptr %n.slot, align 8
  %panel.c.slot = getelementptr i64, ptr %arguments, i64 1
  %panel.c = load ptr, ptr %panel.c.slot, align 8
  %r.slot = getelementptr i64, ptr %arguments, i64 2
  %r = load ptr, ptr %r.slot, align 8
  %y.slot = getelementptr i64, ptr %arguments, i64 3
  %y = load ptr, ptr %y.slot, align 8
  br label %start
start:
  br label %item.loop
item.loop:
  %item = phi i64 [ %begin, %start ], [ %item.next, %j.done.1 ]
  %item.goes_on = icmp slt i64 %item, %end
  br i1 %item.goes_on, label %item.body, label %item.done
item.body:
  ; which part of the parallel axes this item is
  ; j in steps of 16
  %room = sub i64 %n, 15
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %item.body ], [ %j.next, %j.body ]
  %j.goes_on = icmp slt i64 %j, %room
  br i1 %j.goes_on, label %j.body, label %j.done
j.body:
  ; %4 = add
  ; %2 = load product.c
  %mul = mul i64 %n, %item
  %add = add i64 %mul, %j
  %product.c.at = getelementptr float, ptr %panel.c, i64 %add
  %product.c = load <16 x float>, ptr %product.c.at, align 4
  ; %3 = load r
  %mul.1 = mul i64 %n, %item
  %add.1 = add i64 %mul.1, %j
  %r.at = getelementptr float, ptr %r, i64 %add.1
  %r.1 = load <16 x float>, ptr %r.at, align 4
  %fadd = fadd <16 x float> %product.c, %r.1
  ; %5 = store y
  %mul.2 = mul i64 %n, %item
  %add.2 = add i64 %mul.2, %j
  %y.at = getelementptr float, ptr %y, i64 %add.2
  store <16 x float> %fadd, ptr %y.at, align 4
  %j.next = add i64 %j, 16
  br label %j.loop
j.done:
  ; j in steps of 1
  br label %j.loop.1
j.loop.1:
  %j.1 = phi i64 [ %j, %j.done ], [ %j.1.next, %j.body.1 ]
  %j.goes_on.1 = icmp slt i64 %j.1, %n
  br i1 %j.goes_on.1, label %j.body.1, label %j.done.1
j.body.1:
  ; %4 = add
  ; %2 = load product.c
  %mul.3 = mul i64 %n, %item
  %add.3 = add i64 %mul.3, %j.1
  %product.c.at.1 = getelementptr float, ptr %panel.c, i64 %add.3
  %product.c.1 = load float, ptr %product.c.at.1, align 4
  ; %3 = load r
  %mul.4 = mul i64 %n, %item
  %add.4 = add i64 %mul.4, %j.1
  %r.at.1 = getelementptr float, ptr %r, i64 %add.4
  %r.2 = load float, ptr %r.at.1, align 4
  %fadd.1 = fadd float %product.c.1, %r.2
  ; %5 = store y
  %mul.5 = mul i64 %n, %item
  %add.5 = add i64 %mul.5, %j.1
  %y.at.1 = getelementptr float, ptr %y, i64 %add.5
  store float %fadd.1, ptr %y.at.1, align 4
  %j.1.next = add i64 %j.1, 1
  br label %j.loop.1
j.done.1:
  %item.next = add i64 %item, 1
  br label %item.loop
item.done:
  ret void
}
