#!/usr/bin/env python3
"""Times PyTorch on the cases of bench's suites memory and products, for `bench --torch FILE`.

Runs where there is a GPU and PyTorch 2.4 or later; nothing else is needed. The rules are bench's: random numbers
in [-1, 1), buffers that rotate over more than twice the L2 cache, CUDA events in the stream, one launch that is not
timed in front of each sample to hide the host, a warm-up, medians with intervals by order statistics. Cold is one
launch a sample, back to back 20. `eager` is what a user writes, `compile` the same through torch.compile.

It is another process than bench, so nothing is interleaved: run it before and after bench (A B A B), and believe a
difference only where both of its runs agree on it.

Usage: scripts/torch_peer.py [--case WORD] [--json FILE] [--budget-ms N]
"""
import argparse
import json
import math
import statistics
import sys
import time

ROTATED_BYTES = 160 * 2**20
BACK_TO_BACK = 20
LEAST_SAMPLES = 30


def cases(torch):
    """Name of bench's case -> (shapes of the inputs, dtype, function)."""
    functional = torch.nn.functional
    bf16, f16, f32 = torch.bfloat16, torch.float16, torch.float32

    def residual_rms_norm(x, r, w):
        total = x + r
        return total, functional.rms_norm(total, total.shape[-1:], w, 1e-5)

    def transpose_scale(x):
        # x.t() * 2 alone would keep x's strides.
        return torch.mul(x.t(), 2, out=torch.empty(x.shape[::-1], dtype=x.dtype, device=x.device))

    return {
        "residual_rms_norm_bf16": ([(8192, 2560), (8192, 2560), (2560,)], bf16, residual_rms_norm),
        "softmax_bf16": ([(8192, 4096)], bf16, lambda x: torch.softmax(x, 1)),
        "softmax_f32": ([(8192, 4096)], f32, lambda x: torch.softmax(x, 1)),
        "layer_norm_bf16": ([(8192, 4096), (4096,), (4096,)], bf16,
                            lambda x, w, b: functional.layer_norm(x, (4096,), w, b)),
        "added_tanh_f32": ([(67108864,), (67108864,), (67108864,)], f32,
                           lambda x, y, z: x + y * torch.tanh(z)),
        "gated_f32": ([(67108864,), (67108864,)], f32,
                      lambda a, b: torch.tanh(a) * b + torch.sigmoid(b) * 0.5),
        "transpose_scale_f32": ([(16384, 8192)], f32, transpose_scale),
        "transpose_scale_bf16": ([(16384, 8192)], bf16, transpose_scale),
        "transpose_add_f32": ([(8192, 8192), (8192, 8192)], f32, lambda x, y: x + y.t()),
        "row_sum_f32": ([(16384, 8192)], f32, lambda x: x.sum(1)),
        "column_sum_f32": ([(16384, 8192)], f32, lambda x: x.sum(0)),
        "full_sum_f32": ([(16384, 8192)], f32, lambda x: x.sum()),
        "cumsum_f32": ([(8192, 8192)], f32, lambda x: torch.cumsum(x, 1)),
        "cumsum_bf16": ([(8192, 8192)], bf16, lambda x: torch.cumsum(x, 1)),
        "cumsum_columns_f32": ([(8192, 8192)], f32, lambda x: torch.cumsum(x, 0)),
        "cumsum_one_row_f32": ([(67108864,)], f32, lambda x: torch.cumsum(x, 0)),
        "residual_rms_norm_8192_bf16": ([(8192, 8192), (8192, 8192), (8192,)], bf16,
                                        residual_rms_norm),
        "softmax_long_bf16": ([(1024, 131072)], bf16, lambda x: torch.softmax(x, 1)),
        "softmax_odd_bf16": ([(2048, 50257)], bf16, lambda x: torch.softmax(x, 1)),
        "projection": ([(8192, 2560), (2560, 2560)], bf16, lambda x, w: x @ w),
        "projection_residual": ([(8192, 2560), (2560, 2560), (8192, 2560)], bf16,
                                lambda x, w, r: torch.addmm(r, x, w)),
        "bias_gelu": ([(8192, 2560), (2560, 10240), (10240,)], bf16,
                      lambda x, w, b: functional.gelu(torch.addmm(b, x, w), approximate="tanh")),
        "square_f16": ([(4096, 4096), (4096, 4096)], f16, lambda x, w: x @ w),
    }


def make_sets(torch, shapes, dtype, output_bytes):
    """As many sets of inputs as the rotation needs; outputs come from PyTorch's own allocator."""
    generator = torch.Generator(device="cuda").manual_seed(1)

    def make(shape):
        return (torch.rand(shape, generator=generator, device="cuda") * 2 - 1).to(dtype)

    first = [make(shape) for shape in shapes]
    each = sum(t.numel() * t.element_size() for t in first) + output_bytes
    return [first] + [[make(shape) for shape in shapes] for _ in range(ROTATED_BYTES // each + 1)]


def bytes_of(result):
    return sum(t.numel() * t.element_size() for t in as_tuple(result))


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


class Samples:
    """Launches of one function over the sets in turn. A few results are held, so that outputs rotate too."""

    def __init__(self, torch, function, sets):
        self.torch, self.function, self.sets = torch, function, sets
        self.turn = 0
        self.held = [None] * len(sets)

    def launch(self):
        place = self.turn % len(self.sets)
        self.turn += 1
        self.held[place] = self.function(*self.sets[place])

    def time_us(self, launches):
        begin = self.torch.cuda.Event(enable_timing=True)
        end = self.torch.cuda.Event(enable_timing=True)
        self.launch()
        begin.record()
        for _ in range(launches):
            self.launch()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3 / launches


def summarize(times):
    times = sorted(times)
    count = len(times)
    half = 1.96 * math.sqrt(count) / 2
    low = max(math.floor((count - 1) / 2 - half), 0)
    high = min(math.ceil((count - 1) / 2 + half), count - 1)
    return {"median_us": statistics.median(times), "low_us": times[low], "high_us": times[high],
            "samples": count}


def measure(torch, contenders, launches, budget_ms):
    """Contenders take turns, as in bench."""
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        for samples in contenders.values():
            samples.time_us(launches)
    times = {name: [] for name in contenders}
    spent_us = 0
    while spent_us < budget_ms * 1e3 or len(next(iter(times.values()))) < LEAST_SAMPLES:
        for name, samples in contenders.items():
            times[name].append(samples.time_us(launches))
            spent_us += times[name][-1] * launches
    return {name: summarize(taken) for name, taken in times.items()}


def check_agreement(torch, name, eager, compiled):
    for a, b in zip(as_tuple(eager), as_tuple(compiled)):
        scale = a.float().pow(2).mean().sqrt().item()
        distance = (a.float() - b.float()).abs().max().item()
        if not distance <= 0.1 * scale:
            sys.exit(f"{name}: eager and compiled differ by {distance}, root mean square {scale}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", default="", help="only cases whose name holds this")
    parser.add_argument("--json", help="write the figures to this file instead of standard output")
    parser.add_argument("--budget-ms", type=float, default=500, help="of one case in one state of the cache")
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("[SKIP] PyTorch is not installed")
        return 77
    if not torch.cuda.is_available():
        print("[SKIP] PyTorch finds no GPU")
        return 77
    torch.backends.cuda.matmul.allow_tf32 = False
    figures = {}
    with torch.inference_mode():
        for name, (shapes, dtype, function) in cases(torch).items():
            if arguments.case not in name:
                continue
            torch._dynamo.reset()
            compiled = torch.compile(function, dynamic=False)
            probe = make_sets(torch, shapes, dtype, ROTATED_BYTES)[0]
            eager_result = function(*probe)
            check_agreement(torch, name, eager_result, compiled(*probe))
            sets = make_sets(torch, shapes, dtype, bytes_of(eager_result))
            del probe, eager_result
            contenders = {"torch eager": Samples(torch, function, sets),
                          "torch.compile": Samples(torch, compiled, sets)}
            figures[name] = {
                "cold": measure(torch, contenders, 1, arguments.budget_ms),
                "back_to_back": measure(torch, contenders, BACK_TO_BACK, arguments.budget_ms),
            }
            for mode, rows in figures[name].items():
                for contender, row in rows.items():
                    print(f"{name:24} {mode:13} {contender:14} {row['median_us']:9.2f} us"
                          f" [{row['low_us']:.2f}, {row['high_us']:.2f}] n {row['samples']}", file=sys.stderr)
            del contenders, sets
            torch.cuda.empty_cache()
    result = {"schema": {"name": "sinter.torch_peer", "version": "1.0.0"},
              "torch": torch.__version__, "device": torch.cuda.get_device_name(), "cases": figures}
    text = json.dumps(result, indent=2)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)
    return 0 if figures else 2


if __name__ == "__main__":
    sys.exit(main())
