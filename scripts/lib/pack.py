"""Packs files into an archive that depends on nothing but their names and bytes.

usage: pack.py ARCHIVE FOLDER      makes ARCHIVE (.zip or .tar.gz) of FOLDER
       pack.py --sums FOLDER       writes FOLDER/SHA256SUMS

Times are SOURCE_DATE_EPOCH, or 1980 where it is not set.
"""

import gzip
import hashlib
import io
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))
PROGRAMS = {"gambeson", "gambeson.exe"}


def members(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder.parent).as_posix()
            yield name, path.read_bytes(), 0o755 if path.name in PROGRAMS else 0o644


def pack_zip(archive, folder):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data, mode in members(folder):
            info = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            info.create_system = 3
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(info, data)


def pack_tar(archive, folder):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for name, data, mode in members(folder):
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = len(data), EPOCH, mode
            out.addfile(info, io.BytesIO(data))
    archive.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def write_sums(folder):
    paths = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths]
    (folder / "SHA256SUMS").write_text("".join(lines), newline="\n")


def main():
    match sys.argv[1:]:
        case ["--sums", folder]:
            write_sums(Path(folder))
        case [archive, folder] if archive.endswith(".zip"):
            pack_zip(Path(archive), Path(folder))
        case [archive, folder] if archive.endswith(".tar.gz"):
            pack_tar(Path(archive), Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
