#!/usr/bin/env python3
"""Draws a circuit file as an SVG poster: picture.py circuits/usa.circuit > docs/pictures/usa.svg"""
import math
import sys

facts, corners, points = {}, [], []
for line in open(sys.argv[1], encoding="utf-8"):
    words = line.split()
    if not words or words[0].startswith("#"):
        continue
    if words[0] == "corner":
        corners.append((int(words[1]), int(words[3])))
    elif words[0] == "points":
        points += [tuple(map(int, p.split(","))) for p in words[1:]]
    else:
        facts[words[0]] = " ".join(words[1:])
n = len(points)


def ahead(i):
    """The direction of driving at space i, as a unit vector."""
    (x0, y0), (x1, y1) = points[(i - 1) % n], points[(i + 1) % n]
    length = math.hypot(x1 - x0, y1 - y0)
    return (x1 - x0) / length, (y1 - y0) / length


def beside(i, off, forward=0.0):
    """A point beside the middle of space i; off is to the right of the driver."""
    (x, y), (dx, dy) = points[i % n], ahead(i % n)
    return x - dy * off + dx * forward, y + dx * off + dy * forward


def course():
    """A smooth closed line through the middles of the spaces (Catmull-Rom as Bezier curves)."""
    out = f"M{points[0][0]},{points[0][1]}"
    for i in range(n):
        p0, p1, p2, p3 = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        a = (p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6)
        b = (p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6)
        out += f"C{a[0]:.1f},{a[1]:.1f} {b[0]:.1f},{b[1]:.1f} {p2[0]},{p2[1]}"
    return out + "Z"


def across(i, forward, reach, style):
    (x1, y1), (x2, y2) = beside(i, -reach, forward), beside(i, reach, forward)
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def car(i, off, colour, number):
    (x, y), (dx, dy) = beside(i, off), ahead(i)
    turn = math.degrees(math.atan2(dy, dx))
    return (f'<g transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})">'
            f'<path d="M17,0 L8,-5 L-13,-5 L-16,-2 L-16,2 L-13,5 L8,5Z" fill="{colour}" stroke="#1b1b1b"/>'
            f'<path d="M9,-8h6v3h-6zM9,5h6v3h-6zM-13,-9h8v4h-8zM-13,5h8v4h-8z" fill="#1b1b1b"/>'
            f'<circle r="4.4" cx="-3" fill="#f6ead0"/><text x="-3" y="2.6" font-size="7.5" text-anchor="middle" '
            f'fill="#1b1b1b" transform="rotate({-turn:.0f} -3 0)">{number}</text></g>')


width, height = map(int, facts["canvas"].split())
svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
       f'font-family="Futura, Jost, Avenir Next, Helvetica, Arial, sans-serif" font-weight="700">',
       f'<title>The {facts["title"]} circuit</title>',
       f'<rect width="{width}" height="{height}" fill="#e9b44c"/>',
       f'<path d="M0,{height * .62} C{width * .3},{height * .45} {width * .55},{height * .8} {width},{height * .5} '
       f'V{height} H0Z" fill="#d98e32"/>',
       f'<path d="{course()}" fill="none" stroke="#7a3b1d" stroke-width="62" stroke-linejoin="round"/>',
       f'<path d="{course()}" fill="none" stroke="#f6ead0" stroke-width="56" stroke-linejoin="round"/>',
       f'<path d="{course()}" fill="none" stroke="#3a3d40" stroke-width="50" stroke-linejoin="round"/>']
svg += [across(i, 20, 24, 'stroke="#6c7074" stroke-width="1.2"') for i in range(n)]
svg.append(f'<path d="{course()}" fill="none" stroke="#6c7074" stroke-width="1.2" stroke-dasharray="6 8"/>')
svg.append(across(n - 1, 21, 25, 'stroke="#f6ead0" stroke-width="7" stroke-dasharray="5 5"'))
for after, limit in corners:
    svg.append(across(after, 20, 28, 'stroke="#d7263d" stroke-width="5"'))
    (ax, ay), (bx, by) = ahead(after - 2), ahead((after + 3) % n)
    outside = -46 if ax * by - ay * bx > 0 else 46
    x, y = beside(after, outside, 20)
    svg.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="17" fill="#f6ead0" stroke="#d7263d" stroke-width="5"/>'
               f'<text x="{x:.0f}" y="{y + 7:.0f}" font-size="20" text-anchor="middle" fill="#1b1b1b">{limit}</text>')
places = [(30, -12), (27, 12), (27, -12), (22, -12), (16, -12), (9, 12)]
colours = ["#d7263d", "#1b998b", "#f6ead0", "#2e5eaa", "#f46036", "#8d6cab"]
for number, ((i, off), colour) in enumerate(zip(places, colours)):
    svg.append(car(i, off, colour, number))
svg.append(f'<text x="{width * .7:.0f}" y="{height * .52:.0f}" font-size="72" text-anchor="middle" fill="#7a3b1d" '
           f'letter-spacing="4" font-style="italic">hairpin</text>')
svg.append(f'<text x="{width * .7:.0f}" y="{height * .52 + 34:.0f}" font-size="22" text-anchor="middle" '
           f'fill="#7a3b1d" letter-spacing="9">{facts["title"].upper()}</text>')
svg.append("</svg>")
print("\n".join(svg))
