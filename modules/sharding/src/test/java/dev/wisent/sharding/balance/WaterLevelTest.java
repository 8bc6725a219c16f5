package dev.wisent.sharding.balance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaterLevelTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private static double[] of(double... values) {
    return values;
  }

  @Test
  void allGetTheSameWhereNothingDiffers() {
    assertThat(WaterLevel.fill(30, of(0, 0, 0), of(NO_LIMIT, NO_LIMIT, NO_LIMIT)))
        .containsExactly(10, 10, 10);
  }

  @Test
  void whatIsThereAlreadyCounts() {
    assertThat(WaterLevel.fill(30, of(0, 20, 100), of(NO_LIMIT, NO_LIMIT, NO_LIMIT)))
        .containsExactly(25, 5, 0);
  }

  @Test
  void noneGetsMoreThanItMayHave() {
    assertThat(WaterLevel.fill(30, of(0, 0, 0), of(4, NO_LIMIT, NO_LIMIT)))
        .containsExactly(4, 13, 13);
    assertThat(WaterLevel.fill(30, of(0, 0), of(4, 5))).containsExactly(4, 5);
    assertThat(WaterLevel.fill(0, of(3, 5), of(NO_LIMIT, 0))).containsExactly(0, 0);
  }
}
