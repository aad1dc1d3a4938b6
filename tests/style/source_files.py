"""Which C++ files are ours: shared by the style checks."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "support", "ir", "dsl", "reference", "codegen", "runtime", "tools", "bench",
           "examples", "tests", "python")


def relative(path):
    """The path as it is written in messages."""
    return path.relative_to(ROOT).as_posix()


def cpp_files(paths=()):
    """All .h and .cpp files of our folders or of `paths`, sorted; device-side texts are left out."""
    starts = [pathlib.Path(p).resolve() for p in paths] or [ROOT / folder for folder in FOLDERS]
    found = set()
    for start in starts:
        if start.is_file():
            found.add(start)
        elif start.is_dir():
            found.update(p for p in start.rglob("*") if p.suffix in (".h", ".cpp") and p.is_file())
    return sorted(p for p in found if "/device/" not in p.as_posix() and "/golden/" not in p.as_posix())
