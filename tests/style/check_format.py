#!/usr/bin/env python3
"""Checks that the C++ files are formatted as clang-format 14 does it, or formats them (--write).

Other versions of clang-format disagree with version 14 in details, so without it the check is skipped.
"""
import argparse
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from source_files import cpp_files, relative

SKIPPED = 77


def find_clang_format():
    """The program, or None when version 14 is not here."""
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program and " 14." in subprocess.check_output([program, "--version"], text=True):
            return program
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="format in place")
    parser.add_argument("paths", nargs="*", help="files or folders; none: all")
    arguments = parser.parse_args()
    program = find_clang_format()
    if program is None:
        print("[SKIP] clang-format 14 is not installed (scripts/setup installs clang-format-14)")
        return 1 if arguments.write else SKIPPED

    def format_one(path):
        before = path.read_bytes()
        after = subprocess.run([program, path], check=True, capture_output=True).stdout
        if before == after:
            return None
        if arguments.write:
            path.write_bytes(after)
        return relative(path)

    with ThreadPoolExecutor() as pool:
        changed = [name for name in pool.map(format_one, cpp_files(arguments.paths)) if name]
    for name in changed:
        print(f"{'formatted' if arguments.write else 'not formatted'}: {name}")
    if changed and not arguments.write:
        print("run scripts/format")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
