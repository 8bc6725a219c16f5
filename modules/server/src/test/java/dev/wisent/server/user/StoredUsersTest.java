package dev.wisent.server.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.user.User;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoredUsersTest {
  private static final UserName ANN = new UserName("ann", "shop");
  private static final UserName EVE = new UserName("eve", "shop");

  private final ScriptedCollections collections = new ScriptedCollections();
  private final ManualClock clock = new ManualClock();
  private final StoredUsers users = new StoredUsers(collections, clock, Log.silent());

  private void storeAnn(String roles) {
    collections.put(
        UserStore.USERS,
        RawDocument.parse(
            "{_id: 'shop.ann', user: 'ann', db: 'shop', credentials: {}, roles: " + roles + "}"));
  }

  @Test
  void aUserHasWhatItsRolesGive() {
    storeAnn("[{role: 'own', db: 'shop'}, {role: 'gone', db: 'shop'}]");
    collections.put(
        UserStore.ROLES,
        RawDocument.parse(
            "{_id: 'shop.own', role: 'own', db: 'shop', roles: [{role: 'read', db: 'shop'}],"
                + " privileges: [{resource: {db: 'shop', collection: 'a'}, actions:"
                + " ['insert', 'ofTheFuture']}], authenticationRestrictions: [{clientSource:"
                + " ['127.0.0.1']}]}"));
    User ann = users.find(ANN).orElseThrow();
    assertThat(ann.roles()).hasSize(2);
    assertThat(ann.inheritedRoles()).hasSize(3);
    assertThat(ann.restrictions()).hasSize(1);
    assertThat(ann.privileges().grants())
        .anyMatch(grant -> grant.actions().contains(Action.INSERT))
        .anyMatch(grant -> grant.actions().contains(Action.FIND));
  }

  @Test
  void whatIsKnownIsNotReadEachTime() {
    storeAnn("[]");
    users.find(ANN);
    users.find(EVE);
    int reads = collections.reads();
    for (int i = 0; i < 10; i++) {
      assertThat(users.find(ANN)).isPresent();
      assertThat(users.find(EVE)).isEmpty();
    }
    assertThat(collections.reads()).isEqualTo(reads);
  }

  @Test
  void aChangeIsSeenAfterAWhile() {
    users.find(ANN);
    storeAnn("[]");
    assertThat(users.find(ANN)).isEmpty();
    clock.advance(StoredUsers.FRESH_NANOS);
    assertThat(users.find(ANN)).isPresent();
    collections.clear(UserStore.USERS);
    clock.advance(StoredUsers.FRESH_NANOS);
    assertThat(users.find(ANN)).isEmpty();
  }

  @Test
  void whereNothingHasChangedNothingIsRead() {
    storeAnn("[]");
    users.find(ANN);
    int reads = collections.reads();
    clock.advance(10 * StoredUsers.FRESH_NANOS);
    assertThat(users.find(ANN)).isPresent();
    assertThat(collections.reads()).isEqualTo(reads);
    collections.tellsVersions(false);
    clock.advance(StoredUsers.FRESH_NANOS);
    assertThat(users.find(ANN)).isPresent();
    assertThat(collections.reads()).isGreaterThan(reads);
  }

  @Test
  void aChangeHereIsSeenAtOnce() {
    storeAnn("[]");
    users.find(ANN);
    collections.clear(UserStore.USERS);
    users.invalidate();
    assertThat(users.find(ANN)).isEmpty();
  }

  @Test
  void whatIsKnownGoesOnWhileItCannotBeRead() {
    storeAnn("[]");
    collections.tellsVersions(false);
    users.find(ANN);
    collections.fails(true);
    clock.advance(StoredUsers.FRESH_NANOS);
    assertThat(users.find(ANN)).isPresent();
    assertThat(users.failedReads()).isEqualTo(1);
    assertThat(users.find(ANN)).isPresent();
    assertThat(users.failedReads()).isEqualTo(1);
    clock.advance(StoredUsers.STALE_NANOS_MAX);
    assertThatThrownBy(() -> users.find(ANN)).isInstanceOf(CommandException.class);
    collections.fails(false);
    assertThat(users.find(ANN)).isPresent();
  }

  @Test
  void afterAnInvalidationNothingOldIsUsed() {
    storeAnn("[]");
    users.find(ANN);
    collections.fails(true);
    users.invalidate();
    assertThatThrownBy(() -> users.find(ANN))
        .isInstanceOfSatisfying(
            CommandException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE));
  }

  @Test
  void manyNamesAreForgottenAgain() {
    for (int i = 0; i < 3000; i++) {
      assertThat(users.find(new UserName("user" + i, "shop"))).isEqualTo(Optional.empty());
    }
    assertThat(users.known()).isEqualTo(1000);
  }

  @Test
  void usersAreThereUntilTheContraryIsKnown() {
    assertThat(users.hasUsers()).isFalse();
    collections.fails(true);
    assertThat(users.hasUsers()).isTrue();
    collections.fails(false);
    assertThat(users.hasUsers()).isFalse();
    storeAnn("[]");
    assertThat(users.hasUsers()).isTrue();
  }

  @Test
  void membersMayDoEverything() {
    collections.fails(true);
    User system = users.find(UserName.SYSTEM).orElseThrow();
    assertThat(system.privileges().grants().getFirst().actions()).contains(Action.INTERNAL);
  }
}
