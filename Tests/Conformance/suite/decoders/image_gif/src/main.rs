//! What a program shows that reads with the crate `gif` (image-gif): each frame in RGBA, laid over the ones before it.
//! The crate itself composes nothing.

use gif::{ColorOutput, DecodeOptions, DisposalMethod};
use std::fmt::Write;
use std::fs::File;

fn main() {
    for path in std::env::args().skip(1) {
        println!("file {path}");
        if let Err(error) = decode(&path) {
            println!("error {}", error.to_string().replace('\n', " "));
        }
    }
}

fn decode(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(path)?)?;
    let (width, height) = (decoder.width() as usize, decoder.height() as usize);
    if width * height > 1 << 24 {
        return Err("too large".into());
    }
    println!("size {width} {height}");
    // This version does not say how often the file plays.
    println!("plays -");
    let mut canvas = vec![0u8; width * height * 4];
    while let Some(frame) = decoder.read_next_frame()? {
        let saved = canvas.clone();
        let (left, top) = (frame.left as usize, frame.top as usize);
        let (columns, rows) = (frame.width as usize, frame.height as usize);
        let places = || {
            (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
                .filter(move |(x, y)| x + left < width && y + top < height)
        };
        for (x, y) in places() {
            let source = (y * columns + x) * 4;
            let place = ((y + top) * width + x + left) * 4;
            if frame.buffer.get(source + 3).is_some_and(|alpha| *alpha > 0) {
                canvas[place..place + 4].copy_from_slice(&frame.buffer[source..source + 4]);
            }
        }
        let mut text = String::with_capacity(canvas.len() * 2);
        for byte in &canvas {
            write!(text, "{byte:02x}")?;
        }
        println!("frame {} rgba {text}", frame.delay as u32 * 10);
        for (x, y) in places() {
            let place = ((y + top) * width + x + left) * 4;
            match frame.dispose {
                DisposalMethod::Background => canvas[place..place + 4].fill(0),
                DisposalMethod::Previous => canvas[place..place + 4].copy_from_slice(&saved[place..place + 4]),
                _ => {}
            }
        }
    }
    Ok(())
}
