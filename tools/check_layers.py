#!/usr/bin/env python3
"""Reads the sources and refuses what the architecture forbids (docs/design.md, "Rooms").

Checked: who includes whom · where LLVM, BLAS and CUDA headers may appear · public headers without
third-party types · environment reads outside the options table · operator lists outside ir/ops.def ·
`default:` in an emitter's switch over operators · macros not named SINTER_* · `#pragma once`.
Prints one line a problem, file:line first; exit code 1 when there is any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# A room may include itself, include/sinter, and the rooms named here: the dependency rule.
MAY_INCLUDE = {
    "support": (),
    "ir": ("support",),
    "dsl": ("support", "ir"),
    "reference": ("support", "ir"),
    "codegen": ("support", "ir"),
    "runtime": ("support", "ir", "dsl", "codegen"),
    "tools": ("support", "ir", "dsl", "reference", "codegen", "runtime"),
    "examples": (),
}
ROOMS = (*MAY_INCLUDE, "bench", "tests")
SEARCHED = ("include", *ROOMS)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")
GETENV = re.compile(r"\b(?:secure_)?getenv\s*\(")
CUDA_HEADER = re.compile(r"^(cuda|nvrtc|nvml|cupti|cublas|cudnn|nvJitLink|cuda_runtime)\w*\.h(pp)?$|^(cuda|cute|cutlass)/")
# Five operators in a row are a list that belongs in a column of ir/ops.def.
OPERATOR_LIST = re.compile(r"(?:\bOp::\w+\s*(?:,|\|\|\s*\w+(?:\.\w+|\(\))*\s*==)\s*){4}\w*(?:::)?Op::\w+")
SWITCH = re.compile(r"\bswitch\s*\([^{]*\{")


def strip_comments(text):
    """The text with comments blanked and line numbers kept."""
    def blank(match):
        found = match.group(0)
        return re.sub(r"[^\n]", " ", found) if found.startswith("/") else found
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.DOTALL)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def include_problem(name, quoted, header):
    """Why the file `name` may not include `header`, or None."""
    room = name.split("/")[0]
    target = header.split("/")[0]
    if room == "include":
        if quoted and target == "sinter":
            return None
        if not quoted and "/" not in header and not header.endswith(".h"):
            return None
        return "a public header includes only sinter/ and the C++ standard library"
    if header.startswith(("llvm/", "llvm-c/")) or header == "cblas.h":
        return None if name.startswith("runtime/cpu/jit/") else "belongs in runtime/cpu/jit only"
    if CUDA_HEADER.search(header) and room != "bench":
        return "CUDA is opened at run time; the few API types that are needed are declared in runtime/cuda"
    if header.startswith("doctest/") and room != "tests":
        return "doctest belongs in tests"
    if name.startswith("runtime/check/") and target == "reference":
        return None
    if target in ROOMS and "/" in header and room in MAY_INCLUDE and target != room:
        if target not in MAY_INCLUDE[room]:
            return f"{room} may include only {', '.join(MAY_INCLUDE[room]) or 'nothing'} besides itself"
    if quoted and target not in (*ROOMS, "sinter"):
        return "quoted includes name a room or sinter/, from the root of the tree"
    return None


def switches_with_default(code):
    """Positions of `default:` in switches over operators."""
    for match in SWITCH.finditer(code):
        depth, end = 1, match.end()
        while end < len(code) and depth:
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        body = code[match.end():end]
        if "case Op::" in body or "case ir::Op::" in body:
            found = re.search(r"\bdefault\s*:", body)
            if found:
                yield match.end() + found.start()


def problems_of(path):
    name = path.relative_to(ROOT).as_posix()
    code = strip_comments(path.read_text(encoding="utf-8"))
    in_tests = name.startswith("tests/")
    for number, line in enumerate(code.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            why = include_problem(name, include.group(1) == '"', include.group(2))
            if why:
                yield number, f"includes {include.group(2)}: {why}"
        define = DEFINE.match(line)
        if define and not define.group(1).startswith(("SINTER_", "DOCTEST_CONFIG_")):
            yield number, f"macro {define.group(1)} is not named SINTER_..."
        if GETENV.search(line) and name != "support/options.cpp" and not in_tests:
            yield number, "reads the environment; add a row to support/options.def instead"
    if path.suffix == ".h":
        if "#pragma once" not in code:
            yield 1, "a header without #pragma once"
        found = re.search(r"^\s*using namespace\b", code, re.MULTILINE)
        if found:
            yield line_of(code, found.start()), "using namespace in a header"
    if not in_tests:
        for match in OPERATOR_LIST.finditer(code):
            yield line_of(code, match.start()), "a list of operators; make it a column of ir/ops.def"
    if name.startswith(("codegen/cuda/", "codegen/llvm/")):
        for position in switches_with_default(code):
            yield line_of(code, position), "default: in a switch over operators hides a missing case"


def main():
    count = 0
    for folder in SEARCHED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp") or "/device/" in path.as_posix():
                continue
            for number, problem in problems_of(path):
                print(f"{path.relative_to(ROOT).as_posix()}:{number}: {problem}")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
