import Gallop

// What the snippets of the documentation use, and readers have of their own.

func show(_ pixels: PixelBuffer) {}

func show(_ image: GIFImage) {}

func receive() -> [UInt8]? { nil }

let source = GIFSource.file(path: "horse.gif")
