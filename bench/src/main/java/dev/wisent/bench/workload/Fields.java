package dev.wisent.bench.workload;

import dev.wisent.bench.data.Articles;
import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.data.Groups;
import dev.wisent.bench.data.MonitoringSamples;
import dev.wisent.bench.data.Places;
import dev.wisent.bench.store.Field;

/** The fields that workloads index and ask for. */
final class Fields {
  static final Field RANK = Field.integer(DocumentGenerator.RANK);
  static final Field AT = Field.integer(DocumentGenerator.AT);
  static final Field GROUP = Field.integer(DocumentGenerator.GROUP);
  static final Field SHELF = Field.integer(DocumentGenerator.SHELF);
  static final Field EMAIL = Field.text(DocumentGenerator.EMAIL);
  static final Field NUMBER = Field.integer(Groups.NUMBER);
  static final Field HOST = Field.text(MonitoringSamples.HOST);
  static final Field GENERATED_ON = Field.date(MonitoringSamples.GENERATED_ON);

  static final Field BODY = Field.prose(Articles.BODY);

  static final Field LOCATION = Field.place(Places.LOCATION);

  private Fields() {}
}
