#!/usr/bin/env python3
"""Checks what a reader meets first in each file: its length, its head comment, no leftovers.

A source file has at most 600 lines, a public header at most 300 (STYLE: Sizes); device-side kernel
texts may be longer. Every C++ file starts with a comment on its job, or with its own header, which does.
"""
import pathlib
import re
import sys

from source_files import ROOT, cpp_files, relative

LEFTOVER = re.compile(r"\b(todo|fixme|xxx|hack)\b", re.IGNORECASE)


def problems_of(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    name = relative(path)
    limit = 300 if name.startswith("include/") else 600
    if len(lines) > limit:
        yield f"{name}: {len(lines)} lines; at most {limit}: split it by job"
    own_header = f'#include "{pathlib.PurePosixPath(name).with_suffix(".h")}"'
    if not lines or not (lines[0].startswith("//") or lines[0] == own_header):
        yield f"{name}:1: the first line is not a comment on the file's job"
    for number, line in enumerate(lines, 1):
        if LEFTOVER.search(line):
            yield f"{name}:{number}: a leftover: {line.strip()[:80]}"


def main():
    problems = [problem for path in cpp_files() for problem in problems_of(path)]
    for path in sorted(ROOT.glob("**/*.py")):
        name = relative(path)
        if name.startswith("build/") or "/." in f"/{name}":
            continue
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > 600:
            problems.append(f"{name}: {count} lines; at most 600")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
