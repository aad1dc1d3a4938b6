#!/usr/bin/env python3
"""The cases of bench_cpu_memory in PyTorch on the CPU, eager and by torch.compile, on as many threads.

Usage: cpu_memory_torch.py [WORD]: only cases whose name holds WORD. Prints medians and minima in microseconds.
With MALLOC_MMAP_MAX_=0 and MALLOC_TRIM_THRESHOLD_=68719476736 in the environment results are placed where those
before were, which spares PyTorch the page faults of fresh memory."""
import os
import statistics
import sys
import time

import torch
import torch.nn.functional as F

f32, bf16 = torch.float32, torch.bfloat16
Mi = 1 << 20
third = 64 * Mi // 3 // 64 * 64


def residual_norm(x, r, w):
    s = x + r
    return s, F.rms_norm(s, (s.shape[1],), w, 1e-6)


def with_tanh(x, y, z):
    return x + y * torch.tanh(z)


def gated(a, b):
    return torch.tanh(a) * b + torch.sigmoid(b) * 0.5


def softmax(x):
    return torch.softmax(x, 1)


def layer_norm(x, w, b):
    return F.layer_norm(x, (x.shape[1],), w, b)


CASES = [
    ("tanh_f32", [(f32, (third,))] * 3, with_tanh),
    ("tanh_bf16", [(bf16, (2 * third,))] * 3, with_tanh),
    ("gated_f32", [(f32, (32 * Mi,))] * 2, gated),
    ("gated_bf16", [(bf16, (64 * Mi,))] * 2, gated),
    ("bias_relu_f32", [(f32, (16384, 4096)), (f32, (4096,))], lambda x, b: torch.relu(x + b)),
    ("add_transposed_f32", [(f32, (5792, 5792))] * 2, lambda x, y: x + y.t()),
    ("transpose_scale_f32", [(f32, (8192, 8192))], lambda x: (x.t() * 0.125).contiguous()),
    ("transpose_scale_bf16", [(bf16, (16384, 8192))], lambda x: (x.t() * 0.125).contiguous()),
    ("softmax_f32_2560", [(f32, (26208, 2560))], softmax),
    ("softmax_f32_4096", [(f32, (16384, 4096))], softmax),
    ("softmax_bf16_2560", [(bf16, (52416, 2560))], softmax),
    ("softmax_bf16_4096", [(bf16, (32768, 4096))], softmax),
    ("layer_norm_f32_2560", [(f32, (26208, 2560)), (f32, (2560,)), (f32, (2560,))], layer_norm),
    ("layer_norm_f32_4096", [(f32, (16384, 4096)), (f32, (4096,)), (f32, (4096,))], layer_norm),
    ("layer_norm_bf16_4096", [(bf16, (32768, 4096)), (bf16, (4096,)), (bf16, (4096,))], layer_norm),
    ("residual_rms_norm_f32_2560", [(f32, (13104, 2560))] * 2 + [(f32, (2560,))], residual_norm),
    ("residual_rms_norm_bf16_2560", [(bf16, (26208, 2560))] * 2 + [(bf16, (2560,))], residual_norm),
    ("row_sum_f32", [(f32, (16384, 4096))], lambda x: x.sum(1)),
    ("row_sum_bf16", [(bf16, (32768, 4096))], lambda x: x.sum(1)),
    ("column_sum_f32", [(f32, (16384, 4096))], lambda x: x.sum(0)),
    ("full_sum_f32", [(f32, (16384, 4096))], lambda x: x.sum()),
    ("argmax_f32", [(f32, (16384, 4096))], lambda x: x.argmax(1)),
    ("logsumexp_f32", [(f32, (16384, 4096))], lambda x: torch.logsumexp(x, 1)),
    ("cumsum_f32", [(f32, (16384, 4096))], lambda x: torch.cumsum(x, 1)),
]


def times_us(run, least=7, budget_s=1.5):
    run()
    run()
    times = []
    begin = time.perf_counter()
    while len(times) < least or time.perf_counter() - begin < budget_s:
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e6)
    return f"{statistics.median(times):9.0f} {min(times):9.0f}"


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(f"{'case':28} {'eager':>9} {'min':>9} {'compiled':>9} {'min':>9}")
    for name, inputs, body in CASES:
        if word not in name:
            continue
        tensors = [torch.rand(shape).mul_(2).sub_(1).to(dtype) for dtype, shape in inputs]
        with torch.no_grad():
            eager = times_us(lambda: body(*tensors))
            torch._dynamo.reset()
            compiled = torch.compile(body)
            print(f"{name:28} {eager} {times_us(lambda: compiled(*tensors))}", flush=True)


if __name__ == "__main__":
    main()
