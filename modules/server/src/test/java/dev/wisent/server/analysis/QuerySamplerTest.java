package dev.wisent.server.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ApiVersions;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.TransactionUse;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.server.privilege.Privilege;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** With config servers that fail at will. */
class QuerySamplerTest {
  private static final UUID COLLECTION = new UUID(1, 2);

  private final List<RawDocument> written = new ArrayList<>();
  private double rate = 50;
  private UUID existing = COLLECTION;
  private boolean failing;

  private final QuerySampler sampler =
      new QuerySampler(
          new FakeConfig(),
          new FakeCollections(),
          new SampleImages(null, operation -> operation()),
          Clock.system(),
          RandomSource.seeded(1),
          BackgroundLoops.silent(),
          Log.silent());

  private final class FakeConfig implements ConfigCalls {
    @Override
    public RawDocument call(OperationContext operation, RawDocument command) {
      if (failing) {
        throw new CommandException(ErrorCode.HOST_UNREACHABLE, "down");
      }
      for (ElementCursor each = command.get("documents").elements(); each.next(); ) {
        written.add(each.value().asDocument());
      }
      return RawDocument.parse("{ok: 1}");
    }

    @Override
    public List<RawDocument> analyzers(OperationContext operation) {
      var stored = new BsonBuilder().appendString("_id", "a.b").appendUuid("collUuid", COLLECTION);
      return List.of(stored.appendDouble("samplesPerSecond", rate).toDocument());
    }

    @Override
    public boolean isReachable() {
      return true;
    }

    @Override
    public double share(OperationContext operation) {
      return 1;
    }
  }

  private final class FakeCollections implements AnalyzedCollections {
    @Override
    public AnalyzedCollection find(OperationContext operation, Namespace namespace) {
      return new AnalyzedCollection(existing, List.of(), true);
    }

    @Override
    public RawDocument askOwner(
        OperationContext operation, Namespace namespace, RawDocument command) {
      return null;
    }
  }

  private static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  private void run(String json) {
    CommandRequest request =
        CommandRequest.of(
            new BsonBuilder()
                .appendAll(RawDocument.parse(json))
                .appendString("$db", "a")
                .toDocument(),
            List.of(),
            false);
    request.readGenericArguments();
    CommandSpec spec =
        CommandSpec.of(request.name(), CommandKind.READ, "", (asked, context, reply) -> {})
            .scope(
                NodeRole.ALL_ROLES,
                ApiVersions.NO_API,
                Privilege.NONE,
                TransactionUse.NO_TRANSACTION);
    sampler.around(new RunningOperation(1, null, spec, request, operation()), () -> {});
  }

  @Test
  void nothingIsSampledWithoutAnAnalyzer() {
    assertThat(sampler.isIdle()).isTrue();
    run("{find: 'b', filter: {x: 1}}");
    sampler.flush(operation());
    assertThat(written).isEmpty();
  }

  @Test
  void whatCannotBeWrittenIsWrittenLater() {
    sampler.refresh(operation());
    run("{find: 'b', filter: {x: 1}}");
    failing = true;
    assertThatThrownBy(() -> sampler.flush(operation())).hasMessageContaining("down");
    failing = false;
    sampler.flush(operation());
    sampler.flush(operation());
    assertThat(written).hasSize(1);
    assertThat(written.getFirst().get("cmd").asDocument())
        .isEqualTo(RawDocument.parse("{filter: {x: 1}, collation: {}}"));
  }

  @Test
  void everyStatementIsAQuery() {
    sampler.refresh(operation());
    run("{delete: 'b', deletes: [{q: {x: 1}, limit: 1}, {q: {x: 2}, limit: 0}]}");
    run("{aggregate: 'b', pipeline: [{$match: {x: 3}}, {$count: 'n'}], cursor: {}}");
    run(
        "{bulkWrite: 1, ops: [{update: 0, filter: {x: 4}, updateMods: {$set: {y: 1}}, multi: true},"
            + " {delete: 1, filter: {x: 5}}, {insert: 0, document: {}}],"
            + " nsInfo: [{ns: 'a.b'}, {ns: 'a.other'}]}");
    run("{insert: 'b', documents: [{}]}");
    run("{find: 'other', filter: {x: 1}}");
    sampler.flush(operation());
    assertThat(written)
        .extracting(sample -> sample.get("cmdName").asString())
        .containsExactly("delete", "delete", "aggregate", "update");
  }

  @Test
  void aCollectionThatWasDroppedIsNotSampled() {
    sampler.refresh(operation());
    assertThat(sampler.isIdle()).isFalse();
    existing = new UUID(3, 4);
    sampler.refresh(operation());
    assertThat(sampler.isIdle()).isTrue();
  }

  @Test
  void aRefreshDoesNotFillTheBucket() {
    rate = 0.001;
    sampler.refresh(operation());
    run("{find: 'b'}");
    sampler.refresh(operation());
    run("{find: 'b'}");
    sampler.flush(operation());
    assertThat(written).hasSize(1);
  }
}
