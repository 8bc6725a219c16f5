package dev.wisent.query.expression.date;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class DateExpressionsTest {
  private static final String DOCUMENT =
      "{d: ISODate('2017-01-19T15:08:35.567Z'), y: ISODate('2021-01-03T23:30:00Z'), n: null, i: 5,"
          + " t: Timestamp(1500000000, 1), o: ObjectId('58c7cba47bbadf523cf2c313'), tz:"
          + " 'America/New_York', s: 'x'}";

  @Test
  void parts() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$year: '$d'} => 2017
        {$month: '$d'} => 1
        {$dayOfMonth: '$d'} => 19
        {$dayOfYear: '$d'} => 19
        {$dayOfWeek: '$d'} => 5
        {$hour: '$d'} => 15
        {$minute: '$d'} => 8
        {$second: '$d'} => 35
        {$millisecond: '$d'} => 567
        {$week: '$d'} => 3
        {$week: ISODate('2017-01-01T00:00:00Z')} => 1
        {$week: ISODate('2021-01-01T00:00:00Z')} => 0
        {$isoDayOfWeek: '$y'} => 7
        {$isoWeek: '$y'} => 53
        {$isoWeekYear: '$y'} => NumberLong(2020)
        {$year: ['$d']} => 2017
        {$hour: {date: '$d', timezone: 'America/New_York'}} => 10
        {$hour: {date: '$d', timezone: '$tz'}} => 10
        {$hour: {date: '$d', timezone: '+0530'}} => 20
        {$minute: {date: '$d', timezone: '+05:30'}} => 38
        {$hour: {date: '$d', timezone: '-03'}} => 12
        {$hour: {date: '$d', timezone: '$n'}} => null
        {$year: '$t'} => 2017
        {$year: '$o'} => 2017
        {$year: '$none'} => null
        {$millisecond: ISODate('1969-12-31T23:59:59.999Z')} => 999
        {$year: '$s'} !! 16006 can't convert from BSON type string to Date
        {$year: ['$d', 1]} !! 40536 $year accepts exactly one argument if given an array, but was given 2
        {$year: {date: '$d', x: 1}} !! 40535 unrecognized option to $year: "x"
        {$year: {timezone: 'UTC'}} !! 40539 missing 'date' argument to $year, provided: $year: { timezone: "UTC" }
        {$year: {date: '$d', timezone: 5}} !! 40533 $year requires a string for the timezone argument, but was given a int (5)
        {$year: {date: '$d', timezone: 'Mars/Base'}} !! 40485 unrecognized time zone identifier: "Mars/Base"
        """);
  }

  @Test
  void toAndFromParts() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$dateToParts: {date: '$d'}} => {year: 2017, month: 1, day: 19, hour: 15, minute: 8, second: 35, millisecond: 567}
        {$dateToParts: {date: '$y', iso8601: true}} => {isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 7, hour: 23, minute: 30, second: 0, millisecond: 0}
        {$dateToParts: {date: '$d', timezone: '$tz'}} => {year: 2017, month: 1, day: 19, hour: 10, minute: 8, second: 35, millisecond: 567}
        {$dateToParts: {date: '$none'}} => null
        {$dateToParts: 1} !! 40524 $dateToParts only supports an object as its argument
        {$dateToParts: {x: 1}} !! 40520 Unrecognized argument to $dateToParts: x
        {$dateToParts: {}} !! 40522 Missing 'date' parameter to $dateToParts
        {$dateToParts: {date: '$d', iso8601: 5}} !! 40521 iso8601 must evaluate to a bool, found int
        {$dateToParts: {date: '$d', timezone: 5}} !! 40517 timezone must evaluate to a string, found int
        {$dateFromParts: {year: 2017, month: 2, day: 8, hour: 12}} => ISODate('2017-02-08T12:00:00Z')
        {$dateFromParts: {year: 2017, month: 14, day: 0}} => ISODate('2018-01-31T00:00:00Z')
        {$dateFromParts: {year: 2016, month: 12, day: 31, hour: 23, minute: 46, second: 12, timezone: 'America/New_York'}} => ISODate('2017-01-01T04:46:12Z')
        {$dateFromParts: {isoWeekYear: 2017, isoWeek: 6, isoDayOfWeek: 3, hour: 12}} => ISODate('2017-02-08T12:00:00Z')
        {$dateFromParts: {year: 2017, millisecond: 1500}} => ISODate('2017-01-01T00:00:01.500Z')
        {$dateFromParts: {year: 2017, month: '$none'}} => null
        {$dateFromParts: 1} !! 40519 $dateFromParts only supports an object as its argument
        {$dateFromParts: {x: 1}} !! 40518 Unrecognized argument to $dateFromParts: x
        {$dateFromParts: {month: 1}} !! 40516 $dateFromParts requires either 'year' or 'isoWeekYear' to be present
        {$dateFromParts: {year: 1, isoWeek: 1}} !! 40489 $dateFromParts does not allow mixing natural dates with ISO dates
        {$dateFromParts: {isoWeekYear: 1, month: 1}} !! 40525 $dateFromParts does not allow mixing ISO dates with natural dates
        {$dateFromParts: {year: 'x'}} !! 40515 'year' must evaluate to an integer, found string with value "x"
        {$dateFromParts: {year: 10000}} !! 40523 'year' must evaluate to an integer in the range 0 to 9999, found 10000
        {$dateFromParts: {isoWeekYear: 10000}} !! 31095 'isoWeekYear' must evaluate to an integer in the range 0 to 9999, found 10000
        {$dateFromParts: {year: 2000, month: 40000}} !! 31034 'month' must evaluate to a value in the range [-32768, 32767]; value 40000 is not in range
        """);
  }

  @Test
  void dateToString() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$dateToString: {date: '$d'}} => '2017-01-19T15:08:35.567Z'
        {$dateToString: {date: '$d', timezone: '$tz'}} => '2017-01-19T10:08:35.567'
        {$dateToString: {date: '$d', format: '%Y-%m-%d %H:%M:%S.%L %j %u %w %U %V %G %b %B %% %z %Z'}} => '2017-01-19 15:08:35.567 019 4 5 03 03 2017 Jan January % +0000 +0'
        {$dateToString: {date: '$d', format: '%H:%M%z %Z', timezone: 'America/New_York'}} => '10:08-0500 -300'
        {$dateToString: {date: '$none'}} => null
        {$dateToString: {date: '$none', onNull: 'never'}} => 'never'
        {$dateToString: {date: '$d', format: '$n'}} => null
        {$dateToString: 1} !! 18629 $dateToString only supports an object as its argument
        {$dateToString: {x: 1}} !! 18534 Unrecognized argument to $dateToString: x
        {$dateToString: {format: '%Y'}} !! 18628 Missing 'date' parameter to $dateToString
        {$dateToString: {date: '$d', format: 5}} !! 18533 $dateToString requires that 'format' be a string, found: int with value 5
        {$dateToString: {date: '$d', format: '%n'}} !! 18536 Invalid format character '%n' in format string
        {$dateToString: {date: '$d', format: 'x%'}} !! 18535 Unmatched '%' at end of format string
        {$dateToString: {date: '$i'}} !! 16006 can't convert from BSON type int to Date
        """);
  }

  @Test
  void fromString() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$dateFromString: {dateString: '2017-02-08T12:10:40.787'}} => ISODate('2017-02-08T12:10:40.787Z')
        {$dateFromString: {dateString: '2017-02-08'}} => ISODate('2017-02-08T00:00:00Z')
        {$dateFromString: {dateString: '2017-02-08T12:10:40Z'}} => ISODate('2017-02-08T12:10:40Z')
        {$dateFromString: {dateString: '2017-02-08 12:10:40 +0100'}} => ISODate('2017-02-08T11:10:40Z')
        {$dateFromString: {dateString: '2017-02-08T12:10:40.787', timezone: 'America/New_York'}} => ISODate('2017-02-08T17:10:40.787Z')
        {$dateFromString: {dateString: 'July 4, 2017'}} => ISODate('2017-07-04T00:00:00Z')
        {$dateFromString: {dateString: '06-15-2018', format: '%m-%d-%Y'}} => ISODate('2018-06-15T00:00:00Z')
        {$dateFromString: {dateString: '15 Jun 2018 05:06', format: '%d %b %Y %H:%M'}} => ISODate('2018-06-15T05:06:00Z')
        {$dateFromString: {dateString: '2018-24-5', format: '%G-%V-%u'}} => ISODate('2018-06-15T00:00:00Z')
        {$dateFromString: {dateString: '2018-166 +0200', format: '%Y-%j %z'}} => ISODate('2018-06-14T22:00:00Z')
        {$dateFromString: {dateString: '$none'}} => null
        {$dateFromString: {dateString: '$none', onNull: 1}} => 1
        {$dateFromString: {dateString: 'x', onError: 'bad'}} => 'bad'
        {$dateFromString: {dateString: 5, onError: 'bad'}} => 'bad'
        {$dateFromString: 1} !! 40540 $dateFromString only supports an object as an argument, found: int
        {$dateFromString: {x: 1}} !! 40541 Unrecognized argument to $dateFromString: x
        {$dateFromString: {}} !! 40542 Missing 'dateString' parameter to $dateFromString
        {$dateFromString: {dateString: 5}} !! 241 $dateFromString requires that 'dateString' be a string, found: int with value 5
        {$dateFromString: {dateString: '2017-02', format: '%Y-%m'}} !! 241 an incomplete date/time string has been found, with elements missing: "2017-02"
        {$dateFromString: {dateString: '2017-02-08T12:00:00+01:00', timezone: '$tz'}} !! 241 you cannot pass in a date/time string with GMT offset together with a timezone argument
        {$dateFromString: {dateString: '2017', format: 5}} !! 40684 $dateFromString requires that 'format' be a string, found: int with value 5
        """);
  }

  @Test
  void arithmetic() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$dateAdd: {startDate: ISODate('2020-10-31T10:00:00Z'), unit: 'month', amount: 1}} => ISODate('2020-11-30T10:00:00Z')
        {$dateAdd: {startDate: ISODate('2020-02-29T10:00:00Z'), unit: 'year', amount: 1}} => ISODate('2021-02-28T10:00:00Z')
        {$dateAdd: {startDate: '$d', unit: 'quarter', amount: 1}} => ISODate('2017-04-19T15:08:35.567Z')
        {$dateAdd: {startDate: '$d', unit: 'week', amount: -1}} => ISODate('2017-01-12T15:08:35.567Z')
        {$dateAdd: {startDate: ISODate('2021-03-13T12:00:00Z'), unit: 'day', amount: 1, timezone: 'America/New_York'}} => ISODate('2021-03-14T11:00:00Z')
        {$dateAdd: {startDate: ISODate('2021-03-13T12:00:00Z'), unit: 'hour', amount: 24, timezone: 'America/New_York'}} => ISODate('2021-03-14T12:00:00Z')
        {$dateSubtract: {startDate: ISODate('2021-03-31T00:00:00Z'), unit: 'month', amount: 1}} => ISODate('2021-02-28T00:00:00Z')
        {$dateAdd: {startDate: '$none', unit: 'day', amount: 1}} => null
        {$dateAdd: {startDate: '$d', unit: 'day', amount: '$n'}} => null
        {$dateAdd: 1} !! 5166400 $dateAdd expects an object as its argument
        {$dateAdd: {x: 1}} !! 5166401 Unrecognized argument to $dateAdd: x. Expected arguments are startDate, unit, amount, and optionally timezone.
        {$dateAdd: {startDate: '$d'}} !! 5166402 $dateAdd requires startDate, unit, and amount to be present
        {$dateAdd: {startDate: 5, unit: 'day', amount: 1}} !! 5166403 $dateAdd requires startDate to be convertible to a date
        {$dateAdd: {startDate: '$d', unit: 5, amount: 1}} !! 5166404 $dateAdd expects string defining the time unit
        {$dateAdd: {startDate: '$d', unit: 'eon', amount: 1}} !! 9 unknown time unit value: eon
        {$dateAdd: {startDate: '$d', unit: 'day', amount: 1.5}} !! 5166405 $dateAdd expects integer amount of time units
        {$dateAdd: {startDate: '$d', unit: 'year', amount: NumberLong('9223372036854775807')}} !! 5976500 invalid dateAdd 'amount' parameter value: 9223372036854775807 year
        {$dateSubtract: {startDate: '$d', unit: 'day', amount: NumberLong('-9223372036854775808')}} !! 6045000 invalid $dateSubtract 'amount' parameter value: -9223372036854775808
        {$dateDiff: {startDate: ISODate('2020-12-31T23:59:59Z'), endDate: ISODate('2021-01-01T00:00:00Z'), unit: 'year'}} => NumberLong(1)
        {$dateDiff: {startDate: ISODate('2020-01-01T00:00:00Z'), endDate: ISODate('2021-05-01T00:00:00Z'), unit: 'quarter'}} => NumberLong(5)
        {$dateDiff: {startDate: ISODate('2021-01-31T00:00:00Z'), endDate: ISODate('2021-02-01T00:00:00Z'), unit: 'month'}} => NumberLong(1)
        {$dateDiff: {startDate: ISODate('2021-01-30T00:00:00Z'), endDate: ISODate('2021-01-31T00:00:00Z'), unit: 'week'}} => NumberLong(1)
        {$dateDiff: {startDate: ISODate('2021-01-30T00:00:00Z'), endDate: ISODate('2021-01-31T00:00:00Z'), unit: 'week', startOfWeek: 'mon'}} => NumberLong(0)
        {$dateDiff: {startDate: ISODate('2021-01-31T23:00:00Z'), endDate: ISODate('2021-01-30T01:00:00Z'), unit: 'day'}} => NumberLong(-1)
        {$dateDiff: {startDate: ISODate('2021-01-30T10:59:00Z'), endDate: ISODate('2021-01-30T11:00:00Z'), unit: 'hour'}} => NumberLong(1)
        {$dateDiff: {startDate: ISODate('2021-03-14T06:30:00Z'), endDate: ISODate('2021-03-14T07:30:00Z'), unit: 'hour', timezone: 'America/New_York'}} => NumberLong(1)
        {$dateDiff: {startDate: '$d', endDate: '$none', unit: 'hour'}} => null
        {$dateDiff: 1} !! 5166301 $dateDiff only supports an object as its argument
        {$dateDiff: {x: 1}} !! 5166302 Unrecognized argument to $dateDiff: x
        {$dateDiff: {endDate: 1, unit: 1}} !! 5166303 Missing 'startDate' parameter to $dateDiff
        {$dateDiff: {startDate: 1, unit: 1}} !! 5166304 Missing 'endDate' parameter to $dateDiff
        {$dateDiff: {startDate: 1, endDate: 1}} !! 5166305 Missing 'unit' parameter to $dateDiff
        {$dateDiff: {startDate: '$s', endDate: '$d', unit: 'day'}} !! 5166307 $dateDiff requires 'startDate' to be a date, but got string
        {$dateDiff: {startDate: '$d', endDate: '$d', unit: 5}} !! 5439013 $dateDiff requires 'unit' to be a string, but got int
        {$dateDiff: {startDate: '$d', endDate: '$d', unit: 'eon'}} !! 5439014 $dateDiff parameter 'unit' value cannot be recognized as a time unit: eon
        {$dateDiff: {startDate: '$d', endDate: '$d', unit: 'week', startOfWeek: 5}} !! 5439015 $dateDiff requires 'startOfWeek' to be a string, but got int
        {$dateDiff: {startDate: '$d', endDate: '$d', unit: 'week', startOfWeek: 'x'}} !! 5439016 $dateDiff parameter 'startOfWeek' value cannot be recognized as a day of a week: x
        {$dateDiff: {startDate: '$d', endDate: '$d', unit: 'day', timezone: 'x'}} !! 40485 $dateDiff parameter 'timezone' value parsing failed :: caused by :: unrecognized time zone identifier: "x"
        """);
  }

  @Test
  void truncation() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$dateTrunc: {date: '$d', unit: 'hour'}} => ISODate('2017-01-19T15:00:00Z')
        {$dateTrunc: {date: '$d', unit: 'minute', binSize: 15}} => ISODate('2017-01-19T15:00:00Z')
        {$dateTrunc: {date: '$d', unit: 'day'}} => ISODate('2017-01-19T00:00:00Z')
        {$dateTrunc: {date: '$d', unit: 'day', timezone: 'America/New_York'}} => ISODate('2017-01-19T05:00:00Z')
        {$dateTrunc: {date: '$d', unit: 'week'}} => ISODate('2017-01-15T00:00:00Z')
        {$dateTrunc: {date: '$d', unit: 'week', startOfWeek: 'monday'}} => ISODate('2017-01-16T00:00:00Z')
        {$dateTrunc: {date: '$d', unit: 'month', binSize: 2}} => ISODate('2017-01-01T00:00:00Z')
        {$dateTrunc: {date: ISODate('2017-06-19T00:00:00Z'), unit: 'quarter'}} => ISODate('2017-04-01T00:00:00Z')
        {$dateTrunc: {date: ISODate('1999-06-19T00:00:00Z'), unit: 'year', binSize: 5}} => ISODate('1995-01-01T00:00:00Z')
        {$dateTrunc: {date: '$none', unit: 'hour'}} => null
        {$dateTrunc: 1} !! 5439007 $dateTrunc only supports an object as its argument
        {$dateTrunc: {x: 1}} !! 5439008 Unrecognized argument to $dateTrunc: x. Expected arguments are date, unit, and optionally, binSize, timezone, startOfWeek
        {$dateTrunc: {unit: 'day'}} !! 5439009 Missing 'date' parameter to $dateTrunc
        {$dateTrunc: {date: '$d'}} !! 5439010 Missing 'unit' parameter to $dateTrunc
        {$dateTrunc: {date: '$s', unit: 'day'}} !! 5439012 $dateTrunc requires 'date' to be a date, but got string
        {$dateTrunc: {date: '$d', unit: 'day', binSize: 'x'}} !! 5439017 $dateTrunc requires 'binSize' to be a 64-bit integer, but got value '"x"' of type string
        {$dateTrunc: {date: '$d', unit: 'day', binSize: 0}} !! 5439018 $dateTrunc requires 'binSize' to be greater than 0, but got value 0
        """);
  }
}
