package dev.wisent.security.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "192.168.4.0/22, 192.168.7.9, true",
    "192.168.4.0/22, 192.168.8.1, false",
    "200.0.0.0/1, 128.0.0.1, true",
    "200.0.0.0/1, 127.0.0.1, false",
    "0.0.0.0/0, 1.2.3.4, true",
    "0.0.0.0/0, ::1, false",
    "::1, ::1, true",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false"
  })
  void contains(String range, String address, boolean expected) {
    assertThat(AddressRange.parse(range).contains(address)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/x", "::1/129"})
  void otherTextsAreNone(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
