package dev.wisent.pipeline.group;

import dev.wisent.bson.RawValue;
import dev.wisent.query.number.Decimals;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Granularities whose numbers are those of a series, times powers of ten: Renard's (R), those of
 * electrical parts (E), and 1-2-5.
 */
final class PreferredNumbers extends Granularity {
  private static final int[] R5 = {10, 16, 25, 40, 63};
  private static final int[] R10 = {100, 125, 160, 200, 250, 315, 400, 500, 630, 800};
  private static final int[] R20 = {
    100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800,
    900
  };

  /** MongoDB's, which has no 335. */
  private static final int[] R40 = {
    100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250, 265, 280,
    300, 315, 355, 375, 400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900,
    950
  };

  private static final int[] R80 = {
    103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258, 272, 290,
    307, 325, 345, 365, 387, 412, 437, 462, 487, 515, 545, 575, 615, 650, 690, 730, 775, 825, 875,
    925, 975
  };
  private static final int[] ONE_TWO_FIVE = {10, 20, 50};
  private static final int[] E6 = {10, 15, 22, 33, 47, 68};
  private static final int[] E12 = {10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82};
  private static final int[] E24 = {
    10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91
  };
  private static final int[] E192 = {
    100, 101, 102, 104, 105, 106, 107, 109, 110, 111, 113, 114, 115, 117, 118, 120, 121, 123, 124,
    126, 127, 129, 130, 132, 133, 135, 137, 138, 140, 142, 143, 145, 147, 149, 150, 152, 154, 156,
    158, 160, 162, 164, 165, 167, 169, 172, 174, 176, 178, 180, 182, 184, 187, 189, 191, 193, 196,
    198, 200, 203, 205, 208, 210, 213, 215, 218, 221, 223, 226, 229, 232, 234, 237, 240, 243, 246,
    249, 252, 255, 258, 261, 264, 267, 271, 274, 277, 280, 284, 287, 291, 294, 298, 301, 305, 309,
    312, 316, 320, 324, 328, 332, 336, 340, 344, 348, 352, 357, 361, 365, 370, 374, 379, 383, 388,
    392, 397, 402, 407, 412, 417, 422, 427, 432, 437, 442, 448, 453, 459, 464, 470, 475, 481, 487,
    493, 499, 505, 511, 517, 523, 530, 536, 542, 549, 556, 562, 569, 576, 583, 590, 597, 604, 612,
    619, 626, 634, 642, 649, 657, 665, 673, 681, 690, 698, 706, 715, 723, 732, 741, 750, 759, 768,
    777, 787, 796, 806, 816, 825, 835, 845, 856, 866, 876, 887, 898, 909, 920, 931, 942, 953, 965,
    976, 988
  };

  private static final Map<String, int[]> SERIES =
      Map.ofEntries(
          Map.entry("R5", R5),
          Map.entry("R10", R10),
          Map.entry("R20", R20),
          Map.entry("R40", R40),
          Map.entry("R80", R80),
          Map.entry("1-2-5", ONE_TWO_FIVE),
          Map.entry("E6", E6),
          Map.entry("E12", E12),
          Map.entry("E24", E24),
          Map.entry("E48", everyNth(E192, 4)),
          Map.entry("E96", everyNth(E192, 2)),
          Map.entry("E192", E192));

  private final int[] series;

  private PreferredNumbers(String name, int[] series) {
    super(name);
    this.series = series;
  }

  /** Null where there is no such series. */
  static Granularity of(String name) {
    int[] series = SERIES.get(name);
    return series == null ? null : new PreferredNumbers(name, series);
  }

  private static int[] everyNth(int[] all, int n) {
    int[] some = new int[all.length / n];
    for (int i = 0; i < some.length; i++) {
      some[i] = all[i * n];
    }
    return some;
  }

  private int first() {
    return series[0];
  }

  private int last() {
    return series[series.length - 1];
  }

  @Override
  RawValue above(RawValue value) {
    double number = value.toDouble();
    double factor = 1;
    while (number >= last() * factor) {
      factor *= 10;
    }
    while (number < first() * factor) {
      double smallest = first() * factor;
      factor /= 10;
      if (number >= last() * factor) {
        return RawValue.ofDouble(smallest);
      }
    }
    int i = 0;
    while (series[i] * factor <= number) {
      i++;
    }
    return RawValue.ofDouble(series[i] * factor);
  }

  @Override
  RawValue below(RawValue value) {
    double number = value.toDouble();
    double factor = 1;
    while (number <= first() * factor) {
      factor /= 10;
    }
    if (factor == 0) {
      // No number of the series is as small.
      return RawValue.ofDouble(0);
    }
    while (number > last() * factor) {
      double largest = last() * factor;
      factor *= 10;
      if (number <= first() * factor) {
        return RawValue.ofDouble(largest);
      }
    }
    int i = series.length - 1;
    while (series[i] * factor >= number) {
      i--;
    }
    return RawValue.ofDouble(series[i] * factor);
  }

  @Override
  RawValue decimalAbove(RawValue value) {
    BigDecimal number = Decimals.finite(value.asDecimal128());
    int scale = 0;
    while (number.compareTo(scaled(last(), scale)) >= 0) {
      scale++;
    }
    while (number.compareTo(scaled(first(), scale)) < 0) {
      scale--;
      if (number.compareTo(scaled(last(), scale)) >= 0) {
        return decimal(scaled(first(), scale + 1));
      }
    }
    int i = 0;
    while (scaled(series[i], scale).compareTo(number) <= 0) {
      i++;
    }
    return decimal(scaled(series[i], scale));
  }

  @Override
  RawValue decimalBelow(RawValue value) {
    BigDecimal number = Decimals.finite(value.asDecimal128());
    int scale = 0;
    while (number.compareTo(scaled(first(), scale)) <= 0) {
      scale--;
    }
    while (number.compareTo(scaled(last(), scale)) > 0) {
      scale++;
      if (number.compareTo(scaled(first(), scale)) <= 0) {
        return decimal(scaled(last(), scale - 1));
      }
    }
    int i = series.length - 1;
    while (scaled(series[i], scale).compareTo(number) >= 0) {
      i--;
    }
    return decimal(scaled(series[i], scale));
  }

  private static BigDecimal scaled(int number, int tens) {
    return BigDecimal.valueOf(number).scaleByPowerOfTen(tens);
  }

  private static RawValue decimal(BigDecimal number) {
    return RawValue.ofDecimal128(Decimals.fitted(number, false));
  }
}
