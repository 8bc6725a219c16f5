package dev.wisent.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EndedChildrenTest {
  @Test
  void aProcessCountsWhenItHasEnded() throws IOException, InterruptedException {
    assumeTrue(ProcessTree.supported());
    long before = EndedChildren.cpuMicros();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    assertThat(
            new ProcessBuilder(java, "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isZero();
    assertThat(EndedChildren.cpuMicros()).isGreaterThan(before);
  }
}
