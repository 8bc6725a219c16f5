package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.query.update.UpdateOperators.Kind;
import dev.wisent.query.update.UpdateOperators.Row;
import dev.wisent.query.update.UpdateOperators.Support;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of operators. */
class UpdateOperatorsTest {
  private static final List<Kind> OPERATORS = List.of(Kind.FIELD, Kind.ARRAY, Kind.BITWISE);

  @Test
  void listsEveryOperatorOnce() {
    assertThat(UpdateOperators.rows())
        .filteredOn(row -> OPERATORS.contains(row.kind()))
        .extracting(Row::name)
        .containsExactlyInAnyOrder(
            "$currentDate",
            "$inc",
            "$min",
            "$max",
            "$mul",
            "$rename",
            "$set",
            "$setOnInsert",
            "$unset",
            "$addToSet",
            "$pop",
            "$pull",
            "$pullAll",
            "$push",
            "$pushAll",
            "$bit");
  }

  @Test
  void supportedOperatorsParse() {
    for (Row row : UpdateOperators.rows()) {
      boolean operator = OPERATORS.contains(row.kind()) && row.support() == Support.YES;
      boolean known = UpdateOperators.factory(row.name()) != null || row.name().equals("$rename");
      if (row.kind() != Kind.PIPELINE_STAGE) {
        assertThat(known).as(row.name()).isEqualTo(operator);
      }
    }
  }
}
