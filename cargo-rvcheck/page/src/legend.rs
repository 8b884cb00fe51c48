//! What the marks of a chart mean.

/// The legend, which is the same for all charts.
pub(crate) const LEGEND: &str = concat!(
    "<ul class=\"legend\" aria-label=\"Legend\">\n",
    "<li><svg width=\"34\" height=\"16\" aria-hidden=\"true\" class=\"c0\"><rect class=\"sample-hold\" x=\"0\" y=\"2\" width=\"34\" height=\"12\" rx=\"3\"/></svg> holds a lock or permits</li>\n",
    "<li><svg width=\"34\" height=\"16\" aria-hidden=\"true\" class=\"c1\"><rect class=\"sample-wait\" x=\"1\" y=\"1\" width=\"32\" height=\"14\" rx=\"3\"/><path class=\"sample-hatch\" d=\"M4 14 L14 2 M13 14 L23 2 M22 14 L32 2\"/></svg> waits</li>\n",
    "<li><svg width=\"34\" height=\"16\" aria-hidden=\"true\"><rect class=\"run\" x=\"1\" y=\"5\" width=\"32\" height=\"6\" rx=\"3\"/></svg> has a thread</li>\n",
    "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\" class=\"mark cx\"><ellipse class=\"full\" cx=\"8\" cy=\"8\" rx=\"6\" ry=\"6\"/></svg> takes, receives, is woken, joins</li>\n",
    "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\" class=\"mark cx\"><ellipse class=\"hollow\" cx=\"8\" cy=\"8\" rx=\"5\" ry=\"5\"/></svg> gives back</li>\n",
    "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\" class=\"mark cx\"><path class=\"full\" d=\"M8 1 l7 7 l-7 7 l-7 -7 z\"/></svg> begins to wait</li>\n",
    "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\" class=\"mark cx\"><path class=\"full\" d=\"M3 2 l11 6 l-11 6 z\"/></svg> spawns, sends, signals</li>\n",
    "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\" class=\"mark cx\"><path class=\"bar\" d=\"M8 0 v16\"/></svg> begins</li>\n",
    "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\" class=\"mark cx\"><path class=\"bar\" d=\"M2 2 l12 12 m-12 0 l12 -12\"/></svg> ends</li>\n",
    "</ul>\n"
);
