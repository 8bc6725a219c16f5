package dev.wisent.pipeline.accumulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.expression.ConstantExpression;
import org.junit.jupiter.api.Test;

class PushAccumulatorTest {
  @Test
  void oneGroupCannotTakeAllTheMemory() {
    var states = new PushStates(ConstantExpression.MISSING);
    states.start(0, RawDocument.EMPTY);
    byte[] large = new byte[30 << 20];
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> {
              for (int i = 0; i < 4; i++) {
                states.add(0, ElementType.BINARY, large, 0, large.length);
              }
            });
    assertThat(error.code()).isEqualTo(ErrorCode.EXCEEDED_MEMORY_LIMIT);
    assertThat(error.getMessage())
        .isEqualTo(
            "$push used too much memory and cannot spill to disk. Memory limit: "
                + Limits.GATHERED_BYTES_MAX
                + " bytes");
  }
}
