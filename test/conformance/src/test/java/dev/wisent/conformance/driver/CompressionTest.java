package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(DriverFixture.Extension.class)
class CompressionTest {

  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zlib", "zstd", "zlib&zlibCompressionLevel=9"})
  void carriesBothDirections(String compressor, DriverFixture fixture) {
    Traffic plain = exchange(fixture, "appName=plain");
    Traffic compressed = exchange(fixture, "compressors=" + compressor);

    // The documents are repetition throughout; the monitor's messages are in both figures.
    assertThat(compressed.toServer()).isLessThan(plain.toServer() / 3);
    assertThat(compressed.toClient()).isLessThan(plain.toClient() / 3);
  }

  @Test
  void negotiatesOnlyWhatWasOffered(DriverFixture fixture) {
    Document hello =
        fixture
            .client()
            .getDatabase("admin")
            .runCommand(
                new Document("hello", 1).append("compression", List.of("zlib", "unheard-of")));

    assertThat(hello.getList("compression", String.class)).containsExactly("zlib");
  }

  @Test
  void offersNothingToAClientThatAsksForNothing(DriverFixture fixture) {
    Document hello = fixture.client().getDatabase("admin").runCommand(new Document("hello", 1));

    assertThat(hello).doesNotContainKey("compression");
  }

  private static Traffic exchange(DriverFixture fixture, String options) {
    List<Document> documents =
        IntStream.range(0, 500)
            .mapToObj(i -> new Document("_id", i).append("text", "wisent ".repeat(100) + i))
            .toList();
    ServerAddress address =
        fixture.client().getClusterDescription().getServerDescriptions().getFirst().getAddress();
    InetSocketAddress target = new InetSocketAddress(address.getHost(), address.getPort());
    try (CountingProxy proxy = new CountingProxy(target);
        MongoClient client = MongoClients.create(proxy.uri(options))) {
      MongoCollection<Document> collection =
          client.getDatabase(fixture.database().getName()).getCollection("compressed");
      collection.drop();
      collection.insertMany(documents);
      List<Document> found = collection.find().batchSize(100).into(new ArrayList<>());
      assertThat(found).containsExactlyInAnyOrderElementsOf(documents);
      assertThat(inOrderOfIds(found.stream().map(each -> each.getInteger("_id")).toList()))
          .isSorted();
      return new Traffic(proxy.bytesToServer(), proxy.bytesToClient());
    }
  }

  private record Traffic(long toServer, long toClient) {}
}
