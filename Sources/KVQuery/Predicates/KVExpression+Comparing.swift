import KVCore

// Predicates that compare two expressions (FLT.1, FLT.5–8).

extension KVExpression {
  private func compared(
    _ operator: PredicateComparison.Operator, _ right: KVExpression, _ options: KVTextOptions = []
  ) -> KVPredicate {
    KVPredicate(
      .comparison(PredicateComparison(left: node, operator: `operator`, options: options, right: right.node)))
  }

  /// Returns whether two expressions are equal (CO.7).
  ///
  /// - Parameters:
  ///   - left: An expression.
  ///   - right: Another expression.
  public static func == (left: KVExpression, right: KVExpression) -> KVPredicate { left.compared(.equal, right) }

  /// Returns whether two expressions are different.
  ///
  /// - Parameters:
  ///   - left: An expression.
  ///   - right: Another expression.
  public static func != (left: KVExpression, right: KVExpression) -> KVPredicate { left.compared(.notEqual, right) }

  /// Returns whether an expression is less than another one.
  ///
  /// - Parameters:
  ///   - left: An expression.
  ///   - right: Another expression.
  public static func < (left: KVExpression, right: KVExpression) -> KVPredicate { left.compared(.less, right) }

  /// Returns whether an expression is at most another one.
  ///
  /// - Parameters:
  ///   - left: An expression.
  ///   - right: Another expression.
  public static func <= (left: KVExpression, right: KVExpression) -> KVPredicate { left.compared(.lessOrEqual, right) }

  /// Returns whether an expression is greater than another one.
  ///
  /// - Parameters:
  ///   - left: An expression.
  ///   - right: Another expression.
  public static func > (left: KVExpression, right: KVExpression) -> KVPredicate { left.compared(.greater, right) }

  /// Returns whether an expression is at least another one.
  ///
  /// - Parameters:
  ///   - left: An expression.
  ///   - right: Another expression.
  public static func >= (left: KVExpression, right: KVExpression) -> KVPredicate {
    left.compared(.greaterOrEqual, right)
  }

  /// Returns whether a text begins with another one, `BEGINSWITH`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - options: The differences that are ignored.
  public func begins(with text: KVExpression, _ options: KVTextOptions = []) -> KVPredicate {
    compared(.beginsWith, text, options)
  }

  /// Returns whether a text ends with another one, `ENDSWITH`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - options: The differences that are ignored.
  public func ends(with text: KVExpression, _ options: KVTextOptions = []) -> KVPredicate {
    compared(.endsWith, text, options)
  }

  /// Returns whether a text has a part, or a collection a member, `CONTAINS`.
  ///
  /// - Parameters:
  ///   - part: The part or the member.
  ///   - options: The differences that are ignored.
  public func contains(_ part: KVExpression, _ options: KVTextOptions = []) -> KVPredicate {
    compared(.contains, part, options)
  }

  /// Returns whether a text matches a pattern with `*` and `?`, `LIKE`.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - options: The differences that are ignored.
  public func isLike(_ pattern: KVExpression, _ options: KVTextOptions = []) -> KVPredicate {
    compared(.like, pattern, options)
  }

  /// Returns whether a whole text matches a regular expression, `MATCHES`.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression, in Swift's notation.
  ///   - options: The differences that are ignored.
  public func matches(_ pattern: KVExpression, _ options: KVTextOptions = []) -> KVPredicate {
    compared(.matches, pattern, options)
  }

  /// Returns whether the value is one of several, `IN`.
  ///
  /// - Parameters:
  ///   - collection: The collection: `.value([1, 2])`, or a key path to one.
  ///   - options: The differences that are ignored.
  public func isIn(_ collection: KVExpression, _ options: KVTextOptions = []) -> KVPredicate {
    compared(.isIn, collection, options)
  }

  /// Returns whether the value is between two bounds or one of them, `BETWEEN`.
  ///
  /// - Parameters:
  ///   - least: The lower bound.
  ///   - greatest: The upper bound.
  public func isBetween(_ least: KVExpression, and greatest: KVExpression) -> KVPredicate {
    compared(.between, KVExpression(.list([least.node, greatest.node])))
  }
}
