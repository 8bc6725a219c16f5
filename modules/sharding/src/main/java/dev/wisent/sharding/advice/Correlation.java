package dev.wisent.sharding.advice;

/** Pearson's coefficient of pairs, in one pass. */
final class Correlation {
  private long count;
  private double meanX;
  private double meanY;
  private double squaresX;
  private double squaresY;
  private double products;

  void add(double x, double y) {
    count++;
    double deltaX = x - meanX;
    double deltaY = y - meanY;
    meanX += deltaX / count;
    meanY += deltaY / count;
    squaresX += deltaX * (x - meanX);
    squaresY += deltaY * (y - meanY);
    products += deltaX * (y - meanY);
  }

  /** From -1 to 1; 0 where one of the variables does not vary. */
  double coefficient() {
    double scale = Math.sqrt(squaresX) * Math.sqrt(squaresY);
    return scale == 0 ? 0 : Math.clamp(products / scale, -1, 1);
  }
}
