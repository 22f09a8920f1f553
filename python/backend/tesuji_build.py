"""maturin, after a look whether Rust is there."""

import shutil
from typing import Any

NEEDS = (
    "tesuji is built from Rust sources, and `cargo` is not on the PATH; accepted: a Rust toolchain of version 1.95 or newer "
    "(https://rustup.rs) and a C compiler, or a wheel of tesuji for your platform"
)


def _check() -> None:
    if shutil.which("cargo") is None:
        raise SystemExit(NEEDS)


def _maturin() -> Any:
    _check()
    import maturin

    return maturin


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    _check()
    return []


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    return get_requires_for_build_wheel(config_settings)


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> Any:
    return _maturin().prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: Any = None) -> Any:
    return _maturin().prepare_metadata_for_build_editable(metadata_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> Any:
    return _maturin().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> Any:
    return _maturin().build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> Any:
    return _maturin().build_sdist(sdist_directory, config_settings)
