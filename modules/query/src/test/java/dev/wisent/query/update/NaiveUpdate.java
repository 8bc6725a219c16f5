package dev.wisent.query.update;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * {@code $set}, {@code $unset}, {@code $inc} and {@code $push} done the plain way on decoded
 * documents, to compare with.
 */
final class NaiveUpdate {
  /** The update cannot be applied to the document. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private record Step(String operator, List<String> path, BsonValue argument) {}

  private NaiveUpdate() {}

  static BsonDocument apply(BsonDocument original, BsonDocument update) {
    var steps = new ArrayList<Step>();
    update.forEach(
        (operator, fields) ->
            fields
                .asDocument()
                .forEach(
                    (path, argument) ->
                        steps.add(new Step(operator, List.of(path.split("\\.")), argument))));
    steps.sort(Comparator.comparing(Step::path, NaiveUpdate::comparePaths));
    BsonDocument document = original.clone();
    for (Step step : steps) {
      apply(document, step, 0);
    }
    return document;
  }

  private static int comparePaths(List<String> a, List<String> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      String x = a.get(i);
      String y = b.get(i);
      boolean numbers = x.matches("0|[1-9][0-9]*") && y.matches("0|[1-9][0-9]*");
      int order = numbers ? Long.compare(Long.parseLong(x), Long.parseLong(y)) : x.compareTo(y);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static void apply(BsonValue container, Step step, int level) {
    String name = step.path().get(level);
    boolean last = level == step.path().size() - 1;
    if (!container.isDocument() && !(container.isArray() && name.matches("[0-9]+"))) {
      if (!step.operator().equals("$unset")) {
        throw new Refused();
      }
      return;
    }
    BsonValue child = get(container, name);
    if (last) {
      change(container, name, child, step);
    } else if (child != null) {
      apply(child, step, level + 1);
    } else if (!step.operator().equals("$unset")) {
      var created = new BsonDocument();
      put(container, name, created);
      apply(created, step, level + 1);
    }
  }

  private static void change(BsonValue container, String name, BsonValue child, Step step) {
    switch (step.operator()) {
      case "$set" -> put(container, name, step.argument());
      case "$unset" -> {
        if (child != null && container.isDocument()) {
          container.asDocument().remove(name);
        } else if (child != null) {
          put(container, name, BsonNull.VALUE);
        }
      }
      case "$inc" -> put(container, name, child == null ? step.argument() : sum(child, step));
      case "$push" -> {
        if (child != null && !child.isArray()) {
          throw new Refused();
        }
        var array = child == null ? new BsonArray() : child.asArray().clone();
        array.add(step.argument());
        put(container, name, array);
      }
      default -> throw new IllegalArgumentException(step.operator());
    }
  }

  private static BsonValue sum(BsonValue child, Step step) {
    if (!(child instanceof BsonNumber a)) {
      throw new Refused();
    }
    var b = (BsonNumber) step.argument();
    if (a instanceof BsonDecimal128 || b instanceof BsonDecimal128) {
      return new BsonDecimal128(new Decimal128(decimal(a).add(decimal(b))));
    }
    if (a instanceof BsonDouble || b instanceof BsonDouble) {
      return new BsonDouble(a.doubleValue() + b.doubleValue());
    }
    long sum;
    try {
      sum = Math.addExact(a.longValue(), b.longValue());
    } catch (ArithmeticException e) {
      throw new Refused();
    }
    boolean ints = a instanceof BsonInt32 && b instanceof BsonInt32 && sum == (int) sum;
    return ints ? new BsonInt32((int) sum) : new BsonInt64(sum);
  }

  /** A double has fifteen digits as a decimal. */
  private static BigDecimal decimal(BsonNumber number) {
    if (number instanceof BsonDouble real) {
      return real.getValue() == 0
          ? BigDecimal.ZERO
          : new BigDecimal(String.format(Locale.ROOT, "%.14e", real.getValue()));
    }
    return number.decimal128Value().bigDecimalValue();
  }

  private static BsonValue get(BsonValue container, String name) {
    if (container.isDocument()) {
      return container.asDocument().get(name);
    }
    int index = Integer.parseInt(name);
    return index < container.asArray().size() ? container.asArray().get(index) : null;
  }

  private static void put(BsonValue container, String name, BsonValue value) {
    if (container.isDocument()) {
      container.asDocument().put(name, value);
      return;
    }
    BsonArray array = container.asArray();
    int index = Integer.parseInt(name);
    while (array.size() <= index) {
      array.add(BsonNull.VALUE);
    }
    array.set(index, value);
  }
}
