//! Curves as an SVG picture.

use plotters::prelude::{
    BLUE, ChartBuilder, IntoDrawingArea, IntoFont, LineSeries, PathElement, RED, SVGBackend, WHITE,
};
use std::path::Path;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("plot {path}: {reason}")]
pub(crate) struct PlotError {
    path: String,
    reason: String,
}

/// Two curves over the same quantity, each with its name.
#[derive(Debug)]
pub(crate) struct Plot<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) curves: [(String, Vec<(f64, f64)>); 2],
    /// Decimals of the values beside the axis.
    pub(crate) decimals: usize,
    /// The least space above and below the curves.
    pub(crate) room: f64,
}

const SIZE: (u32, u32) = (800, 400);

impl Plot<'_> {
    pub(crate) fn write(&self, path: &Path) -> Result<(), PlotError> {
        self.draw(path).map_err(|error| PlotError {
            path: path.display().to_string(),
            reason: error.to_string(),
        })
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let range = |pick: fn(&(f64, f64)) -> f64| {
            points()
                .map(pick)
                .fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(it), high.max(it)))
        };
        if points().next().is_none() {
            return Err("there is nothing to draw".into());
        }
        let (first, last) = range(|point| point.0);
        let (low, high) = range(|point| point.1);
        let room = ((high - low) * 0.05).max(self.room);
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 20).into_font())
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(70)
            .build_cartesian_2d(first..last.max(first + 1.0), low - room..high + room)?;
        chart
            .configure_mesh()
            .x_desc(self.x_label)
            .y_label_formatter(&|y: &f64| format!("{y:.*}", self.decimals))
            .draw()?;
        for ((name, points), color) in self.curves.iter().zip([BLUE, RED]) {
            chart
                .draw_series(LineSeries::new(points.iter().copied(), color))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
        }
        chart.configure_series_labels().background_style(WHITE).draw()?;
        root.present()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(f64, f64)]) -> Plot<'static> {
        let curves = ["one", "other"].map(|name| (name.to_owned(), points.to_vec()));
        Plot { title: "Title", x_label: "step", curves, decimals: 5, room: 1e-9 }
    }

    #[test]
    fn draws_a_picture() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plot.svg");
        plot(&[(1.0, 0.1), (2.0, 0.05)]).write(&path).expect("a plot");
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text.starts_with("<svg") && text.matches("<polyline").count() >= 2);
        for expected in ["Title", "step", "one", "other"] {
            assert!(text.contains(expected), "{expected}");
        }
    }

    #[test]
    fn one_point_is_drawn_and_none_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plot.svg");
        plot(&[(1.0, 0.1)]).write(&path).expect("a plot");
        let error = plot(&[]).write(&path).expect_err("nothing");
        assert!(error.to_string().ends_with("plot.svg: there is nothing to draw"), "{error}");
    }
}
