; generic{block: 128, tail_width: 8, width: 32} in mode default
; kernel row_sum {
;   axis i: m
;   axis j: n
;   in x: f32[m, n]
;   out y: f32[m]
;   %0: f32 (i, j) = load() {param: x, map: [i, j]}
;   %1: f32 (i) = reduce(%0) {axes: [j], reducer: add}
;   store(%1) {param: y, map: [i]}
; }

define void @sinter_row_sum(ptr noalias readonly %arguments, i64 %begin, i64 %end) {
entry:
  %all.0x0000000000000000 = shufflevector <32 x float> insertelement (<32 x float> poison, float 0x0000000000000000, i64 0), <32 x float> poison, <32 x i32> zeroinitializer
  %n.slot = getelementptr i64, ptr %arguments, i64 0
  %n = load i64, ptr %n.slot, align 8
  %x.slot = getelementptr i64, ptr %arguments, i64 1
  %x = load ptr, ptr %x.slot, align 8
  %y.slot = getelementptr i64, ptr %arguments, i64 2
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
  ; %1 = reduce
  %room = sub i64 %n, 31
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %item.body ], [ %j.next, %j.body ]
  %sum = phi <32 x float> [ %all.0x0000000000000000, %item.body ], [ %fadd, %j.body ]
  %j.goes_on = icmp slt i64 %j, %room
  br i1 %j.goes_on, label %j.body, label %j.done
j.body:
  ; %0 = load x
  %mul = mul i64 %n, %item
  %add = add i64 %mul, %j
  %x.at = getelementptr float, ptr %x, i64 %add
  %x.1 = load <32 x float>, ptr %x.at, align 4
  %fadd = fadd <32 x float> %sum, %x.1
  %j.next = add i64 %j, 32
  br label %j.loop
j.done:
  br label %j.loop.1
j.loop.1:
  %j.1 = phi i64 [ %j, %j.done ], [ %j.1.next, %j.body.1 ]
  %sum.1 = phi float [ 0x0000000000000000, %j.done ], [ %fadd.1, %j.body.1 ]
  %j.goes_on.1 = icmp slt i64 %j.1, %n
  br i1 %j.goes_on.1, label %j.body.1, label %j.done.1
j.body.1:
  ; %0 = load x
  %mul.1 = mul i64 %n, %item
  %add.1 = add i64 %mul.1, %j.1
  %x.at.1 = getelementptr float, ptr %x, i64 %add.1
  %x.2 = load float, ptr %x.at.1, align 4
  %fadd.1 = fadd float %sum.1, %x.2
  %j.1.next = add i64 %j.1, 1
  br label %j.loop.1
j.done.1:
  %low = shufflevector <32 x float> %sum, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %high = shufflevector <32 x float> %sum, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %fadd.2 = fadd <16 x float> %low, %high
  %low.1 = shufflevector <16 x float> %fadd.2, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %high.1 = shufflevector <16 x float> %fadd.2, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %fadd.3 = fadd <8 x float> %low.1, %high.1
  %low.2 = shufflevector <8 x float> %fadd.3, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high.2 = shufflevector <8 x float> %fadd.3, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %fadd.4 = fadd <4 x float> %low.2, %high.2
  %low.3 = shufflevector <4 x float> %fadd.4, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %high.3 = shufflevector <4 x float> %fadd.4, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %fadd.5 = fadd <2 x float> %low.3, %high.3
  %lane = extractelement <2 x float> %fadd.5, i64 0
  %lane.1 = extractelement <2 x float> %fadd.5, i64 1
  %fadd.6 = fadd float %lane, %lane.1
  %fadd.7 = fadd float %fadd.6, %sum.1
  ; %2 = store y
  %y.at = getelementptr float, ptr %y, i64 %item
  store float %fadd.7, ptr %y.at, align 4
  %item.next = add i64 %item, 1
  br label %item.loop
item.done:
  ret void
}
