package dev.wisent.wire;

import static dev.wisent.wire.TestMessages.body;
import static dev.wisent.wire.TestMessages.document;
import static dev.wisent.wire.TestMessages.opMsg;
import static dev.wisent.wire.TestMessages.opMsgWithChecksum;
import static dev.wisent.wire.TestMessages.opQuery;
import static dev.wisent.wire.TestMessages.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Good frames with random damage: a few seconds of what the fuzz test does for as long as asked.
 */
class FrameParserTest {
  private static final long SEED = 31_337;

  /** {@code -Dwisent.fuzz.rounds=1000000} for a run by hand: that many of each kind of frame. */
  private static final int ROUNDS = Integer.getInteger("wisent.fuzz.rounds", 2_000);

  private static List<byte[]> goodFrames() {
    RawDocument find = document("{find: 'c', filter: {a: {$gt: 1}, b: [1, 'x', null]}, $db: 'd'}");
    RawDocument one = document("{_id: 1, text: 'something', list: [1, 2, {deep: true}]}");
    byte[] plain = opMsg(0, body(find));
    var frames = new ArrayList<byte[]>();
    frames.add(plain);
    frames.add(opMsg(OpMsg.EXHAUST_ALLOWED, sequence("documents", one, one), body(find)));
    frames.add(opMsgWithChecksum(0, body(find), sequence("updates", one)));
    frames.add(opQuery("admin.$cmd", document("{isMaster: 1, client: {driver: {name: 'x'}}}")));
    for (Compressor compressor : Compressor.values()) {
      frames.add(CompressedMessage.wrap(plain, plain.length, compressor));
    }
    return frames;
  }

  @Test
  void goodFramesAreRead() {
    assertThat(goodFrames()).allMatch(ParsedFrames::readOrRefused);
  }

  @Test
  void damagedFramesAreReadOrRefused() {
    var random = new SplittableRandom(SEED);
    int refused = 0;
    List<byte[]> frames = goodFrames();
    for (int round = 0; round < ROUNDS; round++) {
      for (byte[] good : frames) {
        byte[] damaged = damage(good, random);
        try {
          refused += ParsedFrames.readOrRefused(damaged) ? 0 : 1;
        } catch (Throwable e) {
          throw new AssertionError(
              "seed " + SEED + " round " + round + " " + Arrays.toString(damaged), e);
        }
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS);
  }

  private static byte[] damage(byte[] good, SplittableRandom random) {
    byte[] damaged = good.clone();
    switch (random.nextInt(4)) {
      case 0 -> damaged[random.nextInt(16, damaged.length)] = (byte) random.nextInt();
      case 1 -> {
        int extreme = new int[] {-1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE}[random.nextInt(4)];
        LittleEndian.putInt32(damaged, random.nextInt(16, damaged.length - 4), extreme);
      }
      case 2 -> damaged = Arrays.copyOf(damaged, random.nextInt(16, damaged.length));
      default -> damaged = Arrays.copyOf(damaged, damaged.length + random.nextInt(1, 20));
    }
    return damaged;
  }

  @Test
  void randomBytesAreRefused() {
    var random = new SplittableRandom(SEED);
    for (int round = 0; round < 5000; round++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      assertThat(ParsedFrames.readOrRefused(bytes)).as("seed %d round %d", SEED, round).isFalse();
    }
  }
}
