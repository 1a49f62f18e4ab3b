// When images move: policies, buttons, everything at once, and where they go on.

import { equal, holdingTimers, holds, ok, seeTwice, stage, test } from "/tests/browser/harness.js";
import { button, buttons, foreign, picture, refreshed, shown, shows, upgraded } from "./tools.js";

const pointer = (target, type) => target.dispatchEvent(new PointerEvent(type, { pointerType: "mouse" }));

test("motion=once ends by itself with the last frame, and plays for good when asked", async () => {
  const image = await picture({ src: "/quick.gif" });
  await upgraded({ motion: "once" }, async () => {
    await shows(image, "moving");
    await holds(() => buttons()[0].ariaLabel === "Play animation");
    buttons()[0].click();
    await shows(image, "moving");
    equal(buttons()[0].ariaLabel, "Pause animation");
  });
});

test("motion=once stops what the page may not read after five seconds, and plays for good when asked", async () => {
  await picture({ src: `${foreign}/flat.gif` });
  await holdingTimers((held) => upgraded({ motion: "once" }, async () => {
    await holds(() => held.size === 1 && buttons()[0]?.ariaLabel === "Pause animation");
    const [{ run, delay }] = held.values();
    equal(delay, 5000);
    run();
    equal(buttons()[0].ariaLabel, "Play animation");
    held.clear();
    buttons()[0].click();
    equal([buttons()[0].ariaLabel, held.size], ["Pause animation", 0]);
  }));
});

test("motion=once counts its five seconds only while an image is seen, whether it can be read or not", async () => {
  for (const src of ["/slow.gif", `${foreign}/slow.gif`]) {
    const image = await picture({ src, class: "far" });
    await holdingTimers((held) => upgraded({ motion: "once" }, async () => {
      await button();
      if (src.startsWith("/")) await shows(image, "moving");
      await holds(() => held.size === 0);
      const { run } = await seeTwice(image, held);
      equal(buttons()[0].ariaLabel, "Pause animation");
      run();
      equal(buttons()[0].ariaLabel, "Play animation");
      scrollTo(0, 0);
    }));
    image.remove();
  }
});

/** Hides the page for its scripts while a body runs. */
async function hidden(body) {
  const hide = (isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  hide(true);
  try {
    await body();
  } finally {
    hide(false);
    delete document.hidden;
  }
}

test("motion=once counts nothing while the page is hidden", async () => {
  for (const src of ["/slow.gif", `${foreign}/slow.gif`]) {
    const image = await picture({ src });
    await holdingTimers((held) => upgraded({ motion: "once" }, async () => {
      await button();
      await holds(() => held.size === 1);
      // Some time passes on any clock: Firefox rounds its own.
      await refreshed();
      await hidden(() => holds(() => held.size === 0));
      await holds(() => held.size === 1);
      const [{ run, delay }] = held.values();
      ok(delay < 5000, `the rest of its time: ${delay}`);
      run();
      equal(buttons()[0].ariaLabel, "Play animation");
    }));
    image.remove();
  }
});

test("Plays that are counted pass only while the page is seen", async () => {
  const image = await picture({ src: "/slow-twice.gif" });
  const { now } = performance;
  try {
    await upgraded({ controls: "bar" }, async () => {
      await shows(image, "moving");
      const slider = (await button()).parentElement.querySelector("input");
      // The engine has read the file: the lengths of its frames are known.
      await holds(() => !slider.disabled);
      await hidden(() => (performance.now = () => now.call(performance) + 3_600_000));
      equal(buttons()[0].ariaLabel, "Pause animation");
    });
  } finally {
    delete performance.now;
  }
});

test("playAll lets an image play on that plays once, also after a pause that has not shown its picture yet", async () => {
  /** Whether the file that is shown plays for ever; that of one loop has another name in its block. */
  const isEndless = async (image) => {
    const [, url] = image.style.content.match(/url\("([^"]+)"\)/);
    return (await (await fetch(url)).text()).includes("NETSCAPE2.0");
  };
  for (const isPaused of [false, true]) {
    const image = await picture({ src: "/slow.gif" });
    await holdingTimers((held) => upgraded({ motion: "once" }, async ({ pauseAll, playAll }) => {
      await shows(image, "moving");
      await holds(() => held.size === 1);
      equal(await isEndless(image), false);
      const { content } = image.style;
      if (isPaused) pauseAll();
      playAll();
      await holds(() => image.style.content !== content);
      equal([await isEndless(image), held.size, buttons()[0].ariaLabel], [true, 0, "Pause animation"]);
    }));
    image.remove();
  }
});

test("On paper an image that the page may not read shows its own picture, paused or not", async () => {
  const image = await picture({ src: `${foreign}/flat.gif` });
  await upgraded({}, async () => {
    (await button()).click();
    const isHidden = () => image.style.objectPosition !== "";
    await holds(isHidden);
    dispatchEvent(new Event("beforeprint"));
    equal(isHidden(), false);
    dispatchEvent(new Event("afterprint"));
    equal(isHidden(), true);
    buttons()[0].click();
    dispatchEvent(new Event("afterprint"));
    equal(isHidden(), false, "once it plays");
  });
});

test("motion=hover plays under the pointer and with the focus of its link", async () => {
  const link = document.createElement("a");
  link.href = "#there";
  stage.append(link);
  const image = await picture({ src: "/flat.gif" }, link);
  await upgraded({ motion: "hover" }, async () => {
    await shows(image, 0);
    pointer(image, "pointerenter");
    await shows(image, "moving");
    pointer(image, "pointerleave");
    await shows(image, (value) => value >= 0);
    link.dispatchEvent(new FocusEvent("focusin"));
    await holds(() => buttons()[0].ariaLabel.startsWith("Pause"));
    link.dispatchEvent(new FocusEvent("focusout"));
    await holds(() => buttons()[0].ariaLabel.startsWith("Play"));
  });
});

test("motion=click plays at a click on the picture, but not on one in a link", async () => {
  const image = await picture({ src: "/flat.gif" });
  const link = document.createElement("a");
  link.href = "#there";
  stage.append(link);
  const linked = await picture({ src: "/flat.gif" }, link);
  await upgraded({ motion: "click" }, async () => {
    await shows(image, 0);
    await shows(linked, 0);
    image.click();
    await shows(image, "moving");
    linked.click();
    await refreshed();
    equal([await shown(linked), location.hash], [0, "#there"]);
    buttons()[1].click();
    await shows(linked, "moving");
  });
  history.replaceState(null, "", location.pathname);
});

test("pauseAll and playAll hold for images to come, and Shift makes a button one for all", async () => {
  const images = [await picture({ src: "/flat.gif" }), await picture({ src: "/quick.gif" })];
  await upgraded({}, async ({ pauseAll, playAll }) => {
    for (const image of images) await shows(image, "moving");
    pauseAll();
    for (const image of images) await shows(image, (value) => value >= 0);
    const late = await picture({ src: "/flat.gif" });
    await shows(late, 0);
    playAll();
    for (const image of [...images, late]) await shows(image, "moving");
    buttons()[1].dispatchEvent(new MouseEvent("click", { shiftKey: true }));
    for (const image of [...images, late]) await shows(image, (value) => value >= 0);
    equal(buttons().map(({ ariaLabel }) => ariaLabel), Array(3).fill("Play animation"));
    ok(buttons()[0].title.includes("Shift"));
  });
});

test("A paused image goes on from its frame to the end of the loop, then plays by itself", async () => {
  const image = await picture({ src: "/flat.gif", width: 200, height: 100 });
  await upgraded({ controls: "bar" }, async () => {
    const slider = (await button()).parentElement.querySelector("input");
    await holds(() => !slider.disabled);
    slider.value = 4;
    slider.dispatchEvent(new Event("input"));
    const seen = [await shows(image, 4)];
    buttons()[0].click();
    for (let value; value !== "moving"; ) {
      value = await shows(image, (now) => now !== seen.at(-1));
      seen.push(value);
    }
    equal(seen, [4, 5, 6, 7, 8, 9, "moving"]);
  });
});

test("Finite loop counts are kept over a pause", async () => {
  const image = await picture({ src: "/twice.gif" });
  await upgraded({}, async () => {
    await shows(image, "moving");
    await button();
    buttons()[0].click();
    await shows(image, (value) => value >= 0);
    buttons()[0].click();
    await holds(() => buttons()[0].ariaLabel.startsWith("Play"));
    // Played again, it begins from the beginning.
    buttons()[0].click();
    await shows(image, "moving");
    equal(buttons()[0].ariaLabel, "Pause animation");
  });
});

test("A bar has a slider over the frames, and drags on the picture move through them", async () => {
  const image = await picture({ src: "/flat.gif", width: 200, height: 100 });
  await upgraded({ controls: "bar" }, async () => {
    const bar = (await button()).parentElement;
    const slider = bar.querySelector("input");
    await holds(() => !slider.disabled);
    equal(slider.max, "9");
    slider.value = 6;
    slider.dispatchEvent(new Event("input"));
    await shows(image, 6);
    equal(bar.lastChild.textContent, "#6 of 10");
    image.setPointerCapture = () => {};
    const { left } = image.getBoundingClientRect();
    const drag = (type, x) => image.dispatchEvent(new PointerEvent(type, { clientX: left + x, pointerType: "mouse" }));
    drag("pointerdown", 150);
    drag("pointermove", 110);
    await shows(image, 4);
    drag("pointermove", 250);
    await shows(image, 9);
    drag("pointerup", 250);
    equal(await shown(image), 9);
  });
  equal(image.getAttribute("style"), null);
});

test("The bar's number after a pause is that of the frame that is shown", async () => {
  const image = await picture({ src: "/flat.gif", width: 200, height: 100 });
  await upgraded({ controls: "bar" }, async ({ pauseAll, playAll }) => {
    const bar = (await button()).parentElement;
    for (let round = 0; round < 8; round += 1) {
      await shows(image, "moving");
      pauseAll();
      const frame = await shows(image, (value) => value >= 0);
      await holds(() => bar.lastChild.textContent === `#${frame} of 10`);
      playAll();
    }
  });
});

test("A narrow bar leaves the number out, so that the slider has room", async () => {
  const image = await picture({ src: "/flat.gif", width: 140, height: 100 });
  await upgraded({ controls: "bar" }, async () => {
    const bar = (await button()).parentElement;
    const [slider, number] = [bar.querySelector("input"), bar.lastChild];
    await holds(() => number.hidden && !slider.hidden && slider.getBoundingClientRect().width > 80);
    image.width = 160;
    await holds(() => !number.hidden);
  });
});

test("Where a bar has no room, its button stands alone", async () => {
  const image = await picture({ src: "/flat.gif", width: 60, height: 40 });
  await upgraded({ controls: "bar" }, async () => {
    const bar = (await button()).parentElement;
    await holds(() => bar.getBoundingClientRect().width === 32);
    ok(bar.querySelector("input").hidden);
    buttons()[0].click();
    await shows(image, (value) => value >= 0);
  });
});

test("A second call takes the place of the first", async () => {
  const image = await picture({ src: "/flat.gif" });
  await upgraded({}, async () => {
    await shows(image, "moving");
    await upgraded({ motion: "click" }, async () => {
      await shows(image, 0);
      equal(document.querySelectorAll("gallop-layer").length, 1);
    });
    equal(image.getAttribute("style"), null);
  });
});
