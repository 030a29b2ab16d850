"""Colours of the look as the style sheets say them, by theme; and how well two of them stand apart."""

import re

from workbook.explorer.view import style

DARK = re.compile(r'^[^{}\n]*(?:data-theme="dark"|data-jp-theme-light="false")[^{}]*\{([^}]*)\}', re.M)


def read_colors(theme: str) -> dict[str, str]:
    """Return name -> colour of a theme, variables resolved; what dark does not say is as in light."""
    screen = re.sub(r"@media print \{\n(?:  .*\n)*?\}\n", "", style())
    dark = "".join(DARK.findall(screen))
    declared = read_declarations(DARK.sub("", screen)) | (read_declarations(dark) if theme == "dark" else {})
    return {name: resolve(value, declared) for name, value in declared.items()}


def read_declarations(rules: str) -> dict[str, str]:
    return dict(re.findall(r"--nb-([\w-]+): ([^;]+);", rules))


def resolve(value: str, declared: dict[str, str]) -> str:
    """Follow var(--nb-...) to the colour that it stands for."""
    while found := re.fullmatch(r"var\(--nb-([\w-]+)\)", value):
        value = declared[found[1]]
    return value


def luminance(color: str) -> float:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
              for v in (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2.2: from 1 to 21."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)
