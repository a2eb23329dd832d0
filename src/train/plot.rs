//! The losses of a training as a picture.

use super::session::EpochLoss;
use plotters::prelude::{
    BLUE, ChartBuilder, IntoDrawingArea, IntoFont, LineSeries, PathElement, RED, SVGBackend, WHITE,
};
use std::path::Path;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("the plot: {0}")]
pub(crate) struct PlotError(String);

const SIZE: (u32, u32) = (800, 500);

/// Draws the losses by epoch into an SVG file.
pub(crate) fn plot(losses: &[EpochLoss], path: &Path) -> Result<(), PlotError> {
    draw(losses, path).map_err(|error| PlotError(error.to_string()))
}

fn draw(losses: &[EpochLoss], path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let all = || losses.iter().flat_map(|loss| [loss.training, loss.held_out]);
    let (low, high) =
        all().fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    if losses.is_empty() {
        return Err("there are no losses to draw".into());
    }
    let room = (high - low).max(1e-9) * 0.05;
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("Mean squared error by epoch", ("sans-serif", 20).into_font())
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(70)
        .build_cartesian_2d(1.0..losses.len().max(2) as f64, low - room..high + room)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_label_formatter(&|y: &f64| format!("{y:.5}"))
        .draw()?;
    let points = |pick: fn(&EpochLoss) -> f64| {
        losses.iter().map(move |loss| (f64::from(loss.epoch), pick(loss)))
    };
    for (name, color, pick) in [
        ("training", BLUE, (|loss| loss.training) as fn(&EpochLoss) -> f64),
        ("held out", RED, |loss| loss.held_out),
    ] {
        chart
            .draw_series(LineSeries::new(points(pick), color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_a_picture() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("loss.svg");
        let losses: Vec<EpochLoss> = (1..10)
            .map(|epoch| EpochLoss {
                epoch,
                training: 0.1 / f64::from(epoch),
                held_out: 0.11 / f64::from(epoch),
            })
            .collect();
        plot(&losses, &path).expect("a plot");
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text.starts_with("<svg") && text.matches("<polyline").count() >= 2);
        assert!(text.contains("held out"));
        assert!(plot(&[], &path).is_err());
    }
}
