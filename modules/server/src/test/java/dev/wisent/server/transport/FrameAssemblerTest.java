package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameAssemblerTest {

  @Test
  void anyCutOfTheStreamGivesTheSameMessages() throws Exception {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    RandomGenerator random = RandomGeneratorFactory.getDefault().create(seed);
    for (int round = 0; round < 300; round++) {
      byte[][] messages = new byte[1 + random.nextInt(6)][];
      for (int i = 0; i < messages.length; i++) {
        int body = random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(200);
        messages[i] = Frames.frame(i, FrameAssembler.HEADER_BYTES + body);
      }
      List<byte[]> received = feed(Frames.join(messages), random);
      assertThat(received).as("seed %d round %d", seed, round).containsExactly(messages);
    }
  }

  /** Gives the stream to an assembler as a connection does, in pieces of random sizes. */
  private static List<byte[]> feed(byte[] stream, RandomGenerator random) throws Exception {
    var received = new ArrayList<byte[]>();
    var frames = new FrameAssembler();
    var in = new InputBuffer();
    int next = 0;
    while (next < stream.length) {
      int most = random.nextBoolean() ? 5 : InputBuffer.CAPACITY;
      int count = Math.min(1 + random.nextInt(most), stream.length - next);
      byte[] complete;
      if (frames.wantsDirectRead()) {
        byte[] target = frames.target();
        count = Math.min(count, target.length - frames.targetOffset());
        System.arraycopy(stream, next, target, frames.targetOffset(), count);
        complete = frames.received(count);
      } else {
        System.arraycopy(stream, next, in.emptied(), 0, count);
        in.filled(count);
        complete = null;
      }
      next += count;
      while (complete != null || (complete = next(frames, in)) != null) {
        received.add(complete);
        complete = null;
      }
    }
    return received;
  }

  private static byte[] next(FrameAssembler frames, InputBuffer in) throws Exception {
    byte[] complete = frames.next(in);
    if (complete == null && frames.needsMemory()) {
      frames.memoryTaken();
      complete = frames.next(in);
    }
    return complete;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, -1, Integer.MIN_VALUE, Limits.MESSAGE_BYTES_MAX + 1, 0x7fffffff})
  void impossibleLengthsAreRefusedWhenTheyArrive(int length) {
    var whole = buffer(Frames.lengthOnly(length));
    assertThatThrownBy(() -> new FrameAssembler().next(whole))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessage("message length " + length + " is not between 16 and 48000000");
  }

  @Test
  void anImpossibleLengthIsSeenAlsoWhenItArrivesInPieces() throws Exception {
    var frames = new FrameAssembler();
    byte[] length = Frames.lengthOnly(15);
    for (int i = 0; i < 3; i++) {
      assertThat(frames.next(buffer(new byte[] {length[i]}))).isNull();
    }
    assertThatThrownBy(() -> frames.next(buffer(new byte[] {length[3]})))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void theShortestMessageIsAHeader() throws Exception {
    byte[] header = Frames.frame(7, FrameAssembler.HEADER_BYTES);
    assertThat(new FrameAssembler().next(buffer(header))).isEqualTo(header);
  }

  @Test
  void aLargeMessageIsNotReadBeforeThereIsMemoryForIt() throws Exception {
    byte[] message = Frames.frame(1, 100_000);
    var frames = new FrameAssembler();
    var in = buffer(message);
    assertThat(frames.next(in)).isNull();
    assertThat(frames.needsMemory()).isTrue();
    assertThat(frames.wantsDirectRead()).isFalse();
    assertThat(frames.partial()).hasSize(FrameAssembler.PREFIX_BYTES);
    assertThat(in.remaining()).isEqualTo(message.length - FrameAssembler.PREFIX_BYTES);
    assertThat(frames.next(in)).as("it stays so").isNull();
    frames.memoryTaken();
    assertThat(frames.needsMemory()).isFalse();
    assertThat(frames.next(in)).isEqualTo(message);
    assertThat(frames.next(buffer(message))).as("the next one needs its own").isNull();
    assertThat(frames.needsMemory()).isTrue();
  }

  private static InputBuffer buffer(byte[] bytes) {
    var buffer = new InputBuffer();
    buffer.replace(bytes);
    return buffer;
  }
}
