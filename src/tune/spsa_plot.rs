//! The path of a tuned parameter as a picture.

use plotters::prelude::{
    BLUE, ChartBuilder, IntoDrawingArea, IntoFont, LineSeries, PathElement, RED, SVGBackend, WHITE,
};
use std::path::Path;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("{path}: {reason}")]
pub(crate) struct PlotError {
    path: String,
    reason: String,
}

const SIZE: (u32, u32) = (800, 300);

/// Draws values by pairs played, and the average that was made of them.
pub(crate) fn plot(
    name: &str,
    points: &[(f64, f64)],
    average: f64,
    path: &Path,
) -> Result<(), PlotError> {
    draw(name, points, average, path)
        .map_err(|error| PlotError { path: path.display().to_string(), reason: error.to_string() })
}

fn draw(
    name: &str,
    points: &[(f64, f64)],
    average: f64,
    path: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let end = points.last().map_or(1.0, |(pairs, _)| pairs.max(1.0));
    let values = points.iter().map(|(_, value)| *value).chain([average]);
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let room = ((high - low) * 0.05).max(0.5);
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(name, ("sans-serif", 18).into_font())
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..end, low - room..high + room)?;
    chart.configure_mesh().x_desc("pairs").draw()?;
    let legend = |color| move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color);
    chart
        .draw_series(LineSeries::new(points.iter().copied(), BLUE))?
        .label("path")
        .legend(legend(BLUE));
    chart
        .draw_series(LineSeries::new([(0.0, average), (end, average)], RED))?
        .label(format!("average at the end {average:.1}"))
        .legend(legend(RED));
    chart.configure_series_labels().background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}
