//! Latency against size, as SVG.

use std::path::Path;

use plotters::prelude::*;

use crate::report::Line;

/// Draws the median of each work against the number of athletes, one file for each engine, both
/// axes in powers of ten.
pub fn draw(lines: &[Line], folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let mut engines: Vec<&str> = lines.iter().map(|line| line.engine).collect();
    engines.dedup();
    for engine in engines {
        let file = folder.join(format!("latency-{}.svg", engine.to_ascii_lowercase()));
        let timed: Vec<&Line> =
            lines.iter().filter(|line| line.engine == engine && line.unit == "ms").collect();
        plot(engine, &timed, &file).unwrap();
    }
}

fn plot(engine: &str, lines: &[&Line], file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let athletes = |line: &Line| f64::from(line.scale) * 10_000.0;
    let sizes = lines.iter().map(|line| athletes(line));
    let (smallest, largest) = (sizes.clone().fold(f64::MAX, f64::min), sizes.fold(1.0, f64::max));
    let times = lines.iter().map(|line| line.p50.max(0.01));
    let (fastest, slowest) = (times.clone().fold(f64::MAX, f64::min), times.fold(0.1, f64::max));

    let area = SVGBackend::new(file, (900, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("Median latency on {engine}"), ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(
            (smallest * 0.9..largest * 1.1).log_scale(),
            (fastest * 0.7..slowest * 1.4).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("athletes")
        .y_desc("milliseconds")
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| format!("{value}"))
        .draw()?;
    let mut works: Vec<&str> = lines.iter().map(|line| line.work).collect();
    works.sort_unstable();
    works.dedup();
    for (number, work) in works.into_iter().enumerate() {
        let color = Palette99::pick(number).to_rgba();
        let of_work = lines.iter().filter(|line| line.work == work);
        let points: Vec<(f64, f64)> =
            of_work.map(|line| (athletes(line), line.p50.max(0.01))).collect();
        chart.draw_series(points.iter().map(|at| Circle::new(*at, 4, color.filled())))?;
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(work)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
