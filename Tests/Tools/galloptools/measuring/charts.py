"""Parts of the SVG charts: one style, for light and dark pages, and text."""

from __future__ import annotations

from xml.sax.saxutils import escape

STYLE = """
svg { color-scheme: light dark; font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
.paper { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e }
.grid { stroke: #d1d9e0; stroke-width: 1 } .one { stroke: #1f2328; stroke-width: 1.5 }
.dot { fill: #0969da; fill-opacity: .45 } .mean { fill: #bc4c00 }
.title { font-size: 19px; font-weight: 600 } .label { font-size: 15px } .value { font-size: 15px; font-weight: 600 }
.small { font-size: 12.5px }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117 } .ink { fill: #f0f6fc } .soft { fill: #9198a1 }
  .grid { stroke: #3d444d } .one { stroke: #f0f6fc } .dot { fill: #58a6ff } .mean { fill: #f0883e }
}
"""


def text(x: float, y: float, content: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:g}" text-anchor="{anchor}">{escape(content)}</text>'
