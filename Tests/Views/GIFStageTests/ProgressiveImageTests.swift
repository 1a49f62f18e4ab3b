import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

@Suite("AnimatedImageView: shows an image while it arrives")
struct ProgressiveImageTests {
  private let rig = StageRig(isImmediate: false)
  private let view: AnimatedImageView
  private let log: ViewLog
  private let file = TestImage.flatFile(frames: 4, width: 60, height: 40)

  init() {
    var properties = ImageProperties(source: "a")
    properties.fade = .zero
    properties.placeholder = Color(0x777777)
    view = AnimatedImageView(properties, services: rig.services)
    log = ViewLog(view)
    rig.show(view, width: 120, height: 80)
  }

  private func receive(_ range: Range<Int>, announced: Bool = false) {
    rig.loader.receive(file.bytes[range], of: "a", announced: announced ? file.bytes.count : nil)
    rig.settle()
  }

  private func pixel(_ x: Int = 60, _ y: Int = 4) -> UInt32? {
    rig.draw()
    return rig.stage?.surface[x, y]
  }

  @Test("The bar tells of the frames so far, and that playback loads or waits")
  func bar() {
    let rig = StageRig(isImmediate: false)
    var options = PlayerScene.Options(items: [GridItem(id: 0, source: "a")])
    options.image.fade = .zero
    let scene = PlayerScene(options, services: rig.services)
    rig.show(scene, width: 640, height: 480)
    let percent = 100 * file.ends[1] / file.bytes.count
    rig.loader.receive(file.bytes[0..<file.ends[1]], of: "a", announced: file.bytes.count)
    rig.run(.milliseconds(50))
    #expect(scene.bar.status == ["#0 of 2+", "loading, \(percent) %"])
    rig.run(.seconds(1))
    #expect(scene.bar.status == ["#1 of 2+", "stalled, \(percent) %"])
    rig.loader.receive(file.bytes[file.ends[1]...], of: "a")
    rig.loader.complete("a", with: nil)
    rig.run(.milliseconds(10))
    #expect(scene.bar.status == ["#2 of 4", "0:00.20 / 0:00.40"])
  }

  @Test("Placeholder, first frame, animation, end")
  func arrives() throws {
    #expect(pixel() == Color(0x777777).word)
    receive(0..<file.ends[0] / 2, announced: true)
    let half = file.ends[0] / 2
    #expect(log.take().first == "loading \(half)")
    let progress = try #require(view.progress)
    #expect(progress == Double(half) / Double(file.bytes.count))
    receive(half..<file.ends[0])
    #expect(pixel() == TestImage.pixel(0))
    receive(file.ends[0]..<file.ends[1])
    rig.run(.milliseconds(150))
    #expect(view.shown?.index == 1 && pixel() == TestImage.pixel(1))
    #expect(view.playback.progress?.hasPrefix("loading, ") == true)
    // Playback waits for more.
    rig.run(.seconds(5))
    #expect(view.playback.progress?.hasPrefix("stalled, ") == true)
    #expect(view.shown?.index == 1 && view.isPlaying && !log.words.contains("loop 1"))
    receive(file.ends[1]..<file.bytes.count)
    rig.loader.complete("a", with: nil)
    rig.run(.milliseconds(250))
    #expect(log.words.contains("loaded 4") && view.progress == nil && view.playback.progress == nil)
    guard case .ready = view.phase else { return #expect(Bool(false), "\(view.phase)") }
    rig.run(.seconds(1))
    #expect(log.words.contains("loop 1"))
  }

  @Test("An interrupted transfer leaves what has arrived, and plays it")
  func interrupted() {
    receive(0..<file.ends[1])
    rig.loader.complete("a", with: .failure(GIFLoadingError(.cutOff, source: "a")))
    rig.run(.seconds(1))
    let words = log.take()
    #expect(words.contains("failed was cut off") && words.contains("frame 1") && words.contains("loop 1"))
    guard case .failed(let error) = view.phase else { return #expect(Bool(false), "\(view.phase)") }
    #expect(error.partialImage?.frameCount == 2 && view.image?.frameCount == 2)
    #expect(pixel() != Color(0x777777).word)
  }

  @Test("A tap on a failed image loads it again")
  func retry() throws {
    rig.loader.complete("a", with: .failure(.test("not there")))
    rig.settle()
    #expect(log.take() == ["failed not there"])
    rig.stage?.pointer(PointerEvent(.began, x: 5, y: 5))
    rig.stage?.pointer(PointerEvent(.ended, x: 5, y: 5))
    #expect(rig.loader.waiting == ["a"] && rig.loader.sources == ["a", "a"])
    rig.loader.complete("a", with: .success(try TestImage.flat(frames: 2)))
    rig.settle()
    #expect(log.take() == ["tap", "loaded 2", "frame 0"])
  }

  @Test("A source that is no URL fails with the reason, without a load")
  func malformedSource() {
    view.properties.source = "ftp://user:secret@host/a.gif"
    #expect(rig.loader.waiting.isEmpty)
    guard case .failed(let error) = view.phase else { return #expect(Bool(false), "\(view.phase)") }
    #expect(error.code == .unsupportedScheme && !error.description.contains("secret"))
  }

  @Test("A view hidden while it loads goes on loading, and shows the image when it is visible again")
  func hiddenMeanwhile() throws {
    receive(0..<file.ends[0])
    view.isHidden = true
    receive(file.ends[0]..<file.bytes.count)
    rig.loader.complete("a", with: nil)
    rig.run(.seconds(1))
    #expect(view.player == nil && rig.loader.sources == ["a"])
    view.isHidden = false
    rig.run(.milliseconds(150))
    #expect(view.player?.isComplete == true && view.shown?.index == 1)
  }

  @Test("A new source cancels the load")
  func newSource() {
    view.properties.source = nil
    #expect(rig.loader.waiting.isEmpty)
  }

  @Test("Errors wrap at spaces, within the width and the number of lines")
  func wrapping() {
    let text = "cannot be loaded: the host's name is not known"
    let lines = TextPainter(font: nil, scale: 1).lines(text, width: 120, limit: 5)
    #expect(lines.count > 1 && lines.joined(separator: " ") == text)
    #expect(lines.allSatisfy { BitmapFont.width(of: $0, size: 1) <= 120 })
    let cut = TextPainter(font: nil, scale: 1).lines(text, width: 120, limit: 2)
    #expect(cut.count == 2 && cut[1].hasSuffix(".."))
    for width in [0, 1, 5, 30] {
      for limit in 0...3 {
        let lines = TextPainter(font: nil, scale: 1).lines(
          "abcdefghijklmnop qr  s", width: width, limit: limit)
        #expect(lines.count <= limit)
      }
    }
    #expect(TextPainter(font: nil, scale: 1).lines("", width: 50, limit: 3).isEmpty)
  }

  @Test("All phases draw at any size and scale")
  func drawing() {
    for size in [1, 7, 40, 300] {
      for scale in 1...3 {
        rig.stage?.resize(width: size, height: size, scale: scale)
        for step in 0..<4 {
          if step == 1 { receive(0..<20, announced: true) }
          if step == 2 { rig.loader.complete("a", with: .failure(.test("a reason of several words"))) }
          if step == 3 { view.perform(.reload) }
          rig.settle()
          rig.draw()
        }
      }
    }
  }
}
