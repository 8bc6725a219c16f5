package dev.wisent.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Whatever the bytes of a frame are, they are read or refused with one of the two exceptions that
 * the server answers to. In a normal build this runs on the stored inputs. With {@code
 * JAZZER_FUZZ=1} in the environment and {@code -Djazzer.hooks=true} it searches for new ones.
 */
class FrameParserFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void framesAreReadOrRefused(byte[] bytes) {
    ParsedFrames.readOrRefused(bytes);
  }
}
