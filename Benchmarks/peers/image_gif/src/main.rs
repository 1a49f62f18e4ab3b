//! Times image-gif on a GIF: the palette indices of every frame into one buffer. No colours, no canvas, no disposal. From
//! the bytes in memory, opening and allocations included.
//!
//!     image-gif-indices REPEATS FILE     prints {"milliseconds": the best run, "frames": N}

use std::time::Instant;

fn decode(bytes: &[u8]) -> Result<usize, gif::DecodingError> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes)?;
    let mut indices = Vec::new();
    let mut frames = 0;
    while decoder.next_frame_info()?.is_some() {
        indices.resize(decoder.buffer_size(), 0);
        decoder.read_into_buffer(&mut indices)?;
        std::hint::black_box(&indices);
        frames += 1;
    }
    Ok(frames)
}

fn run(repeats: usize, path: &str) -> Result<(f64, usize), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path)?;
    let mut best = f64::INFINITY;
    let mut frames = 0;
    for _ in 0..repeats {
        let start = Instant::now();
        frames = decode(&bytes)?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok((best, frames))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let repeats = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    if arguments.len() != 3 || repeats == 0 {
        eprintln!("usage: image-gif-indices REPEATS FILE");
        std::process::exit(64);
    }
    match run(repeats, &arguments[2]) {
        Ok((best, frames)) => println!("{{\"milliseconds\": {best:.6}, \"frames\": {frames}}}"),
        Err(error) => {
            eprintln!("image-gif: {error}");
            std::process::exit(1);
        }
    }
}
