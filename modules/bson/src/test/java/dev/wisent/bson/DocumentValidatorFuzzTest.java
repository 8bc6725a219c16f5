package dev.wisent.bson;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Whatever the bytes are, the validator accepts them or refuses them with a CommandException; and
 * what it accepts can be read, compared and turned into index keys without checks. In a normal
 * build this runs on the stored inputs. With {@code JAZZER_FUZZ=1} in the environment and {@code
 * -Djazzer.hooks=true} it searches for new ones.
 */
class DocumentValidatorFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void acceptedDocumentsCanBeUsed(byte[] bytes) {
    ValidatedDocuments.checkUsableOrRefused(bytes);
  }
}
