; generic{block: 2048, tail_width: 1, width: 16} in mode default
; kernel bias_relu {
;   axis i: m
;   axis j: n
;   in x: bf16[m, n]
;   in bias: f32[n]
;   out y: f32[m, n]
;   %0: bf16 (i, j) = load() {param: x, map: [i, j]}
;   %1: f32 (i, j) = cast(%0) {dtype: f32}
;   %2: f32 (j) = load() {param: bias, map: [j]}
;   %3: f32 (i, j) = add(%1, %2)
;   %4: f32 = constant() {value: 0.0: f32}
;   %5: f32 (i, j) = maximum(%3, %4)
;   store(%5) {param: y, map: [i, j]}
; }

define void @sinter_bias_relu(ptr noalias readonly %arguments, i64 %begin, i64 %end) {
entry:
  %n.slot = getelementptr i64, ptr %arguments, i64 0
  %n = load i64, ptr %n.slot, align 8
  %x.slot = getelementptr i64, ptr %arguments, i64 1
  %x = load ptr, ptr %x.slot, align 8
  %all.16 = shufflevector <16 x i32> insertelement (<16 x i32> poison, i32 16, i64 0), <16 x i32> poison, <16 x i32> zeroinitializer
  %bias.slot = getelementptr i64, ptr %arguments, i64 2
  %bias = load ptr, ptr %bias.slot, align 8
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
  %add = add i64 2047, %n
  %udiv = udiv i64 %add, 2048
  %block = urem i64 %item, %udiv
  %rest = udiv i64 %item, %udiv
  %first = mul i64 %block, 2048
  %full = add i64 %first, 2048
  %smin = call i64 @llvm.smin.i64(i64 %full, i64 %n)
  ; j in steps of 16
  %room = sub i64 %smin, 15
  br label %j.loop
j.loop:
  %j = phi i64 [ %first, %item.body ], [ %j.next, %j.body ]
  %j.goes_on = icmp slt i64 %j, %room
  br i1 %j.goes_on, label %j.body, label %j.done
j.body:
  ; %0 = load x
  %mul = mul i64 %n, %rest
  %add.1 = add i64 %mul, %j
  %x.at = getelementptr i16, ptr %x, i64 %add.1
  %x.1 = load <16 x i16>, ptr %x.at, align 2
  ; %1 = cast
  %zext = zext <16 x i16> %x.1 to <16 x i32>
  %shl = shl <16 x i32> %zext, %all.16
  %bitcast = bitcast <16 x i32> %shl to <16 x float>
  ; %2 = load bias
  %bias.at = getelementptr float, ptr %bias, i64 %j
  %bias.1 = load <16 x float>, ptr %bias.at, align 4
  ; %3 = add
  %fadd = fadd <16 x float> %bitcast, %bias.1
  ; %5 = maximum
  %first.1 = insertelement <16 x float> poison, float 0x0000000000000000, i64 0
  %all = shufflevector <16 x float> %first.1, <16 x float> poison, <16 x i32> zeroinitializer
  %ogt = fcmp ogt <16 x float> %fadd, %all
  %select = select <16 x i1> %ogt, <16 x float> %fadd, <16 x float> %all
  %bitcast.1 = bitcast <16 x float> %all to <16 x i32>
  %bitcast.2 = bitcast <16 x float> %fadd to <16 x i32>
  %and = and <16 x i32> %bitcast.2, %bitcast.1
  %bitcast.3 = bitcast <16 x i32> %and to <16 x float>
  %oeq = fcmp oeq <16 x float> %fadd, %all
  %select.1 = select <16 x i1> %oeq, <16 x float> %bitcast.3, <16 x float> %select
  %uno = fcmp uno <16 x float> %fadd, %fadd
  %select.2 = select <16 x i1> %uno, <16 x float> %fadd, <16 x float> %select.1
  ; %6 = store y
  %mul.1 = mul i64 %n, %rest
  %add.2 = add i64 %mul.1, %j
  %y.at = getelementptr float, ptr %y, i64 %add.2
  store <16 x float> %select.2, ptr %y.at, align 4
  %j.next = add i64 %j, 16
  br label %j.loop
j.done:
  ; j in steps of 1
  br label %j.loop.1
j.loop.1:
  %j.1 = phi i64 [ %j, %j.done ], [ %j.1.next, %j.body.1 ]
  %j.goes_on.1 = icmp slt i64 %j.1, %smin
  br i1 %j.goes_on.1, label %j.body.1, label %j.done.1
j.body.1:
  ; %0 = load x
  %mul.2 = mul i64 %n, %rest
  %add.3 = add i64 %mul.2, %j.1
  %x.at.1 = getelementptr i16, ptr %x, i64 %add.3
  %x.2 = load i16, ptr %x.at.1, align 2
  ; %1 = cast
  %zext.1 = zext i16 %x.2 to i32
  %shl.1 = shl i32 %zext.1, 16
  %bitcast.4 = bitcast i32 %shl.1 to float
  ; %2 = load bias
  %bias.at.1 = getelementptr float, ptr %bias, i64 %j.1
  %bias.2 = load float, ptr %bias.at.1, align 4
  ; %3 = add
  %fadd.1 = fadd float %bitcast.4, %bias.2
  ; %5 = maximum
  %ogt.1 = fcmp ogt float %fadd.1, 0x0000000000000000
  %select.3 = select i1 %ogt.1, float %fadd.1, float 0x0000000000000000
  %bitcast.5 = bitcast float 0x0000000000000000 to i32
  %bitcast.6 = bitcast float %fadd.1 to i32
  %and.1 = and i32 %bitcast.6, %bitcast.5
  %bitcast.7 = bitcast i32 %and.1 to float
  %oeq.1 = fcmp oeq float %fadd.1, 0x0000000000000000
  %select.4 = select i1 %oeq.1, float %bitcast.7, float %select.3
  %uno.1 = fcmp uno float %fadd.1, %fadd.1
  %select.5 = select i1 %uno.1, float %fadd.1, float %select.4
  ; %6 = store y
  %mul.3 = mul i64 %n, %rest
  %add.4 = add i64 %mul.3, %j.1
  %y.at.1 = getelementptr float, ptr %y, i64 %add.4
  store float %select.5, ptr %y.at.1, align 4
  %j.1.next = add i64 %j.1, 1
  br label %j.loop.1
j.done.1:
  %item.next = add i64 %item, 1
  br label %item.loop
item.done:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
