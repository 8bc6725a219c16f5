package dev.wisent.query.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExpressionTableTest {
  /** MongoDB 8.0 has these. */
  private static final List<String> NAMES =
      List.of(
          """
          $abs $acos $acosh $add $allElementsTrue $and $anyElementTrue $arrayElemAt $arrayToObject
          $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor
          $bsonSize $ceil $cmp $concat $concatArrays $cond $const $convert $cos $cosh $dateAdd
          $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString
          $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $divide $eq $exp $expr
          $filter $first $firstN $floor $function $getField $gt $gte $hour $ifNull $in
          $indexOfArray $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek
          $isoWeekYear $last $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max $maxN
          $median $mergeObjects $meta $millisecond $min $minN $minute $mod $month $multiply $ne
          $not $objectToArray $or $percentile $pow $radiansToDegrees $rand $range $reduce
          $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim
          $second $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin
          $sinh $size $slice $sortArray $split $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP
          $strcasecmp $substr $substrBytes $substrCP $subtract $sum $switch $tan $tanh $toBool
          $toDate $toDecimal $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId
          $toString $toUUID $toUpper $trim $trunc $tsIncrement $tsSecond $type $unsetField $week
          $year $zip
          """
              .strip()
              .split("\\s+"));

  @Test
  void hasARowForEachExpression() {
    assertThat(ExpressionTable.rows())
        .extracting(ExpressionRow::name)
        .containsExactlyInAnyOrderElementsOf(NAMES);
  }
}
