internal import GIFDecoding
internal import GIFTimeline

// The functions of the module, as the page calls them. Each is a line or two: the work is in WebEngine.
// All run on the one thread that has the instance. The page's side, engine.js, documents the answers.

/// The one engine of an instance.
private nonisolated(unsafe) var engine = WebEngine()

// MARK: Blocks

/// Makes room for bytes. Returns their address; 0 if they are too many.
@_expose(wasm, "gallop_bytes")
public func bytes(_ count: Int32) -> UInt32 { unsafe engine.bytes.makeRoom(count) }

/// Where the bytes are.
@_expose(wasm, "gallop_bytes_address")
public func bytesAddress() -> UInt32 { unsafe UInt32(truncatingIfNeeded: engine.bytes.address) }

/// Where the numbers of the last answer are.
@_expose(wasm, "gallop_numbers")
public func numbersAddress() -> UInt32 { unsafe UInt32(truncatingIfNeeded: engine.numbers.address) }

/// The last error: its name in bytes, and its frame, offset, value and limit in numbers.
@_expose(wasm, "gallop_error")
public func lastError() -> Int32 { unsafe engine.lastError() }

// MARK: Images

/// Begins an image; 0 stands for the default limit.
@_expose(wasm, "gallop_image_open")
public func openImage(
  _ streamBytes: Double, _ canvasPixels: Double, _ frames: Double, _ decodedBytes: Double,
  _ totalPixels: Double
) -> Int32 {
  let limits = DecodingLimits(streamBytes, canvasPixels, frames, decodedBytes, totalPixels)
  return unsafe engine.images.insert(WebImage(limits: limits))
}

/// Takes the first bytes of the block as the next ones of the image.
@_expose(wasm, "gallop_image_append")
public func appendToImage(_ image: Int32, _ count: Int32) -> Int32 { unsafe engine.append(count, to: image) }

/// Ends the image's file.
@_expose(wasm, "gallop_image_finish")
public func finishImage(_ image: Int32) -> Int32 { unsafe engine.finish(image) }

/// What is known of the image.
@_expose(wasm, "gallop_image_info")
public func imageInfo(_ image: Int32) -> Int32 { unsafe engine.info(image) }

/// What is known of its frames; policy 0 gives the delays of browsers, 1 the stored ones.
@_expose(wasm, "gallop_image_frames")
public func imageFrames(_ image: Int32, _ first: Int32, _ policy: Int32, _ count: Int32) -> Int32 {
  unsafe engine.frames(image, first, policy == 0 ? .browser : .encoded, count)
}

/// The colours of a frame's own palette; -1 for the global one.
@_expose(wasm, "gallop_image_palette")
public func imagePalette(_ image: Int32, _ frame: Int32) -> Int32 { unsafe engine.palette(image, frame) }

/// A comment's bytes.
@_expose(wasm, "gallop_image_comment")
public func imageComment(_ image: Int32, _ index: Int32) -> Int32 { unsafe engine.comment(image, index) }

/// An application extension: its identifier in bytes, its offset and size in numbers.
@_expose(wasm, "gallop_image_application")
public func imageApplication(_ image: Int32, _ index: Int32) -> Int32 {
  unsafe engine.application(image, index)
}

/// The faults of the records.
@_expose(wasm, "gallop_image_diagnostics")
public func imageDiagnostics(_ image: Int32) -> Int32 {
  guard let current = unsafe engine.images[image]?.current else { return WebEngine.Answer.noSuchObject }
  return unsafe engine.diagnostics(current.image.diagnostics)
}

/// The faults of the records and of the frames' codes; decodes every frame.
@_expose(wasm, "gallop_image_check")
public func checkImage(_ image: Int32) -> Int32 {
  guard let current = unsafe engine.images[image]?.current else { return WebEngine.Answer.noSuchObject }
  return unsafe engine.diagnostics(current.image.diagnostics + current.image.checkFrames().diagnostics)
}

/// Releases an image. Its players keep it until they are released.
@_expose(wasm, "gallop_image_release")
public func releaseImage(_ image: Int32) -> Int32 { unsafe engine.release(image: image) }

// MARK: Drawing

/// Draws a frame at a size; 0 and 0 for that of the canvas.
@_expose(wasm, "gallop_draw")
public func draw(_ image: Int32, _ width: Int32, _ height: Int32, _ frame: Int32) -> Int32 {
  unsafe engine.draw(image, width, height, frame, answers: true)
}

/// Draws a frame that ``draw(_:_:_:_:)`` is to find.
@_expose(wasm, "gallop_prepare")
public func prepare(_ image: Int32, _ width: Int32, _ height: Int32, _ frame: Int32) -> Int32 {
  unsafe engine.draw(image, width, height, frame, answers: false)
}

/// Releases the renderers of an image but for the `count` used last. Returns the bytes freed.
@_expose(wasm, "gallop_evict")
public func evict(_ image: Int32, _ count: Int32) -> Double {
  unsafe Double(engine.images[image]?.evict(keeping: Int(count)) ?? 0)
}

// MARK: Players

/// Makes a player of an image whose size is known.
@_expose(wasm, "gallop_player_open")
public func openPlayer(
  _ image: Int32, _ rate: Double, _ mode: Int32, _ loopCount: Double, _ delayPolicy: Int32,
  _ latePolicy: Int32, _ lateCount: Int32, _ isComplete: Int32
) -> Int32 {
  let schedule = PlayerSchedule(
    delayPolicy: delayPolicy == 0 ? .browser : .encoded, loopCount: LoopCount?(number: loopCount),
    mode: PlaybackMode(number: Int(mode)), isComplete: isComplete != 0)
  let late = LatePolicy(number: Int(latePolicy), count: Int(lateCount))
  let settings = WebPlayer.Settings(schedule: schedule, rate: rate, rules: PlaybackRules(latePolicy: late))
  return unsafe engine.openPlayer(image, settings)
}

/// Carries out a command, then everything that is due at a time.
@_expose(wasm, "gallop_player_do")
public func perform(_ player: Int32, _ command: Int32, _ first: Double, _ second: Double, _ now: Double)
  -> Int32
{
  guard let command = WebCommand(command, first, second) else { return WebEngine.Answer.noSuchObject }
  return unsafe engine.perform(command, player, at: now)
}

/// Releases a player.
@_expose(wasm, "gallop_player_release")
public func releasePlayer(_ player: Int32) -> Int32 { unsafe engine.release(player: player) }

// MARK: Figures

/// Counts of images, players and renderers, bytes of canvases and files, and decodes so far.
@_expose(wasm, "gallop_statistics")
public func statistics() -> Int32 { unsafe engine.statistics() }
