package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is an update, what is a replacement, and what is neither. */
class UpdateParserTest {
  @Test
  void theFirstNameDecides() {
    assertThat(UpdateCases.parse("{$set: {a: 1}}")).isInstanceOf(ModifierUpdate.class);
    assertThat(UpdateCases.parse("{a: 1, $set: {b: 1}}")).isInstanceOf(Replacement.class);
    assertThat(UpdateCases.parse("{}")).isInstanceOf(Replacement.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$foo", "$pushAll", "$each", "$isolated", "$", "$[]", "$v", "$addFields"})
  void unknownOperators(String name) {
    UpdateCases.assertError(
        "{_id: 1}",
        "{'" + name + "': {a: 1}}",
        9,
        "Unknown modifier: "
            + name
            + ". Expected a valid update modifier or pipeline-style update specified as an array");
  }

  @Test
  void aFieldAmongOperatorsIsNoOperator() {
    UpdateCases.assertError(
        "{_id: 1}",
        "{$set: {a: 1}, b: 1}",
        9,
        "Unknown modifier: b. Expected a valid update modifier or pipeline-style update specified"
            + " as an array");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$set", "$inc", "$push", "$rename", "$unset"})
  void emptyOperatorsDoNothing(String name) {
    UpdateCases.assertResult("{_id: 1, a: 1}", "{" + name + ": {}}", "unchanged");
  }

  @Test
  void otherTypesAreRefused() {
    assertThatThrownBy(
            () -> UpdateParser.parse(RawValue.ofInt32(1), List.of(), UpdateCases.CONTEXT))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_TO_PARSE))
        .hasMessage("Update argument must be either an object or an array");
  }

  @Test
  void replacementsAreForOneDocument() {
    var replacement = RawValue.ofDocument(RawDocument.parse("{a: 1}"));
    assertThatThrownBy(() -> UpdateParser.parse(replacement, List.of(), true, UpdateCases.CONTEXT))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_TO_PARSE))
        .hasMessage("multi update is not supported for replacement-style update");
    var operators = RawValue.ofDocument(RawDocument.parse("{$set: {a: 1}}"));
    assertThat(UpdateParser.parse(operators, List.of(), true, UpdateCases.CONTEXT)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {$set: {a: 1}, $unset: {a: 1}} | 40 | Updating the path 'a' would create a conflict at 'a'
          {_id: 1, a: 1} | {$set: {'a.b.c': 1}, $unset: {'a.b': 1}} | 40 | Updating the path 'a.b' would create a conflict at 'a.b'
          {_id: 1, a: 1} | {$push: {'a': 1}, $pull: {'a': 2}} | 40 | Updating the path 'a' would create a conflict at 'a'
          {_id: 1, a: 1} | {$set: {'a.b': 1}, $inc: {'a.b.c': 2}} | 40 | Updating the path 'a.b.c' would create a conflict at 'a.b'
          """)
  void conflicts(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }

  @Test
  void pathsAreNoDeeperThanDocuments() {
    String path = "a" + ".a".repeat(179);
    assertThat(UpdateCases.parse("{$set: {'" + path + "': 1}}")).isNotNull();
    UpdateCases.assertError(
        "{_id: 1}",
        "{$set: {'" + path + ".a': 1}}",
        15,
        "Document exceeds maximum nesting depth of 180");
    UpdateCases.assertError(
        "{_id: 1}",
        "{$set: {'" + ".".repeat(1_000_000) + "': 1}}",
        15,
        "Document exceeds maximum nesting depth of 180");
  }

  @Test
  void valuesAddToTheDepth() {
    String path = "a" + ".a".repeat(178);
    UpdateCases.assertError(
        "{_id: 1}",
        "{$set: {'" + path + "': {a: {a: 1}}}}",
        15,
        "Document exceeds maximum nesting depth of 180");
    UpdateCases.assertError(
        "{_id: 1}",
        "{$push: {'" + path + "': {a: 1}}}",
        15,
        "Document exceeds maximum nesting depth of 180");
    assertThat(
            UpdateCases.apply(
                    RawDocument.parse("{_id: 1}"), "{}", "{$set: {'" + path + "': {a: {}}}}", "[]")
                .modified())
        .isTrue();
  }
}
