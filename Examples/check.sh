#!/usr/bin/env bash
# Checks the tool `kv` from outside: runs it against the fixtures, and compares standard output, standard error and the
# exit code of every run. Runs from any directory.
#
#   check.sh            builds the tool and checks it
#   check.sh --record   builds the tool and records the output of the tour in tour-expected.txt
#
# KV=path         checks a tool that is built already
# SCRATCH=path    builds there instead of in .build
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

if [ -z "${KV:-}" ]; then
  build=(swift build --product kv ${SCRATCH:+--scratch-path "$SCRATCH"})
  echo "Building: ${build[*]}"
  "${build[@]}" || { echo "FAILED: the tool does not build"; exit 1; }
  KV="$("${build[@]}" --show-bin-path)/kv"
fi
[ -x "$KV" ] || { echo "FAILED: there is no tool at $KV"; exit 1; }
KV="$(cd "$(dirname "$KV")" && pwd)/$(basename "$KV")"

if [ "${1:-}" = "--record" ]; then
  "$KV" tour > tour-expected.txt || { echo "FAILED: kv tour"; exit 1; }
  echo "Recorded the tour: $(wc -l < tour-expected.txt) lines."
  exit 0
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
runs=0
failures=0

# Runs the tool with the arguments of `kv`, in the directory of the fixtures, and keeps what it gives.
run() {
  command_line="kv $*"
  (cd Fixtures && "$KV" "$@" < "${input:-/dev/null}" > "$work/out" 2> "$work/err")
  code=$?
  input=
  runs=$((runs + 1))
}

compare() {
  local what="$1" expected="$2" actual="$3"
  [ "$expected" = "$actual" ] && return 0
  echo "FAILED: $command_line"
  echo "  $what"
  diff <(printf '%s\n' "$expected") <(printf '%s\n' "$actual") | sed 's/^/    /'
  bad=1
}

finish() {
  if [ "$bad" = 0 ]; then echo "ok: $command_line"; else failures=$((failures + 1)); fi
}

# gives OUTPUT ARGUMENT...: the run succeeds with this output, and says nothing on standard error.
gives() {
  local expected="$1"
  shift
  run "$@"
  bad=0
  compare "standard output (< expected, > found)" "$expected" "$(cat "$work/out")"
  compare "standard error" "" "$(cat "$work/err")"
  compare "exit code" 0 "$code"
  finish
}

# fails LINE ARGUMENT...: the run fails with exactly this line on standard error, exit code 1 and no output.
fails() {
  local expected="kv: $1"
  shift
  run "$@"
  bad=0
  compare "standard error (< expected, > found)" "$expected" "$(cat "$work/err")"
  compare "lines on standard error" 1 "$(wc -l < "$work/err" | tr -d ' ')"
  compare "standard output" "" "$(cat "$work/out")"
  compare "exit code" 1 "$code"
  finish
}

# points LINES ARGUMENT...: the run fails with these lines on standard error, exit code 1 and no output.
points() {
  local expected="kv: $1"
  shift
  run "$@"
  bad=0
  compare "standard error (< expected, > found)" "$expected" "$(cat "$work/err")"
  compare "standard output" "" "$(cat "$work/out")"
  compare "exit code" 1 "$code"
  finish
}

# checks LINE NOTE ARGUMENT...: `kv check` finds no faults, prints the line, and the note on standard error.
checks() {
  local expected="$1" note="$2"
  shift 2
  run check "$@"
  bad=0
  compare "standard output (< expected, > found)" "$expected" "$(cat "$work/out")"
  compare "standard error" "$note" "$(cat "$work/err")"
  compare "exit code" 0 "$code"
  finish
}

# faults LINES ARGUMENT...: `kv check` fails with exactly these lines on standard error, exit code 1 and no output.
faults() {
  local expected="$1"
  shift
  run check "$@"
  bad=0
  compare "standard error (< expected, > found)" "$expected" "$(cat "$work/err")"
  compare "standard output" "" "$(cat "$work/out")"
  compare "exit code" 1 "$code"
  finish
}

# misused TEXT ARGUMENT...: the run fails with exit code 2, TEXT in its first line on standard error, and no output.
misused() {
  local expected="$1"
  shift
  run "$@"
  bad=0
  case "$(head -n 1 "$work/err")" in
    *"$expected"*) ;;
    *) compare "the first line on standard error has to hold" "$expected" "$(head -n 1 "$work/err")" ;;
  esac
  compare "standard output" "" "$(cat "$work/out")"
  compare "exit code" 2 "$code"
  finish
}

# watch SCENARIO OUTPUT ERRORS ARGUMENT...: runs `kv watch` while the function SCENARIO rewrites live.json, and interrupts
# it then.
watch() {
  local scenario="$1" expected="$2" errors="$3"
  shift 3
  command_line="kv watch $* live.json ($scenario)"
  runs=$((runs + 1))
  bad=0
  rm -f "$work"/live.json
  : > "$work/out"
  : > "$work/err"
  put '{"name": "shop", "items": [{"name": "tea", "price": 3}, {"name": "jam", "price": 2}]}'
  (cd "$work" && exec "$KV" watch "$@" live.json --interval 0.02 > out 2> err) &
  local pid=$!
  told "Ctrl-C"
  "$scenario"
  kill -INT "$pid" 2> /dev/null
  wait "$pid"
  code=$?
  compare "standard output (< expected, > found)" "$expected" "$(cat "$work/out")"
  compare "standard error" "$errors" "$(grep -vF 'kv: watching "live.json"; Ctrl-C ends it.' "$work/err")"
  compare "exit code" 0 "$code"
  finish
}

# put JSON: writes live.json in place.
put() { printf '%s\n' "$1" > "$work/live.json"; }

# told TEXT: waits until the tool has printed a text, on either stream.
told() {
  for _ in $(seq 500); do
    grep -qF -- "$1" "$work/out" "$work/err" && return 0
    sleep 0.02
  done
  compare "waited for" "$1" "$(cat "$work/out" "$work/err")"
}

echo "--- kv get"
gives '"Corner Shop"' get name -f shop.json
gives 'Corner Shop' get name --raw -f shop.json
gives 'Corner Shop' get name -r --file shop.json
gives 'true' get open --raw -f shop.json
gives '4.5' get rating -f shop.json
gives '5' get 'items[1].price' -f shop.json
gives '12345678901234567890' get big -f shop.json
gives '3' get items.@count -f shop.json
gives '10.75' get items.@sum.price -f shop.json
gives '17' get items.@sum.count -f shop.json
gives '"coffee"' get items.@min.name -f shop.json
gives '[
  "hot",
  "green"
]' get items.@distinctUnionOfArrays.tags -f shop.json
gives '[
  "tea",
  "coffee",
  "jam"
]' get items.name -f shop.json
gives '{
  "a" : {
    "x" : "y"
  },
  "b" : [
    1,
    2,
    null
  ]
}' get @self -f compact.json
gives '"brackets"' get '["odd.keys"]["a[0]"]' -f shop.json
gives 'quotes' get '["odd.keys"]["é \"q\""]' -r -f shop.json
gives '[

]' get 'items[2].tags' -f shop.json

echo "--- null is a value; what lies behind it is null too"
gives 'null' get owner -f shop.json
gives 'null' get owner.name.first -f shop.json
gives 'null' get 'b[2]' -f compact.json
gives '[
  null,
  null,
  null
]' get items.note -f shop.json

echo "--- standard input"
input=shop.json gives '"Corner Shop"' get name
input=shop.json gives '"Corner Shop"' get name -f -
input=shop.plist gives 'Corner Shop' get name -r

echo "--- property lists"
for file in shop.plist shop-binary.plist; do
  gives '"Corner Shop"' get name -f $file
  gives 'true' get open -f $file
  gives '1' get shelves -f $file
  gives '3.25' get items.@max.price -f $file
  gives '"2001-02-03T04:05:06Z"' get founded -f $file
  gives '2001-02-03T04:05:06Z' get founded -r -f $file
  gives 'AAEC' get logo -r -f $file
done

echo "--- kv keys"
gives 'big: integer
items: array
name: string
["odd.keys"]: object
open: boolean
owner: null
rating: number' keys -f shop.json
gives 'count: integer
name: string
note: null
price: integer or number
tags: array' keys items -f shop.json
gives '["a[0]"]: string
é "q": string' keys '["odd.keys"]' -f shop.json
gives 'founded: date
items: array
logo: data
name: string
open: boolean
shelves: integer' keys -f shop-binary.plist
gives '' keys 'items[2].tags' -f shop.json

echo "--- kv set"
gives '{"b":[1,2,null],"a":{"x":"z"}}' set a.x z -f compact.json
gives '{"b":[1,2,null],"a":{"x":5}}' set a.x 5 -f compact.json
gives '{"b":[1,2,null],"a":{"x":"5"}}' set a.x 5 --string -f compact.json
gives '{"b":[1,2,null],"a":{"x":-5}}' set a.x -5 -f compact.json
gives '{"b":[1,2,null],"a":{"x":-1.5}}' set -f compact.json -- a.x -1.5
gives '{"b":[1,2,null],"a":{"x":null}}' set a.x null -f compact.json
gives '{"b":[1,2,null],"a":{"x":{"k": [true, null]}}}' set a.x '{"k": [true, null]}' -f compact.json
gives '{"b":[1,2,null],"a":{"x":"y","new":1}}' set a.new 1 -f compact.json
gives '{"b":[1,2,null],"a":{"x":"y","a.b":1}}' set 'a["a.b"]' 1 -f compact.json
gives '{"b":[1,2,7],"a":{"x":"y"}}' set 'b[2]' 7 -f compact.json
gives '{"b":[null,2,null],"a":{"x":"y"}}' set 'b[0]' null -f compact.json
input=compact.json gives '{"b":[1,2,null],"a":{"x":"{no json"}}' set a.x '{no json'
run set items.price 1 -f shop.json
"$KV" get items.@sum.price < "$work/out" > "$work/sum" 2>&1
bad=0
compare "a key of an array is set in each element" 3 "$(cat "$work/sum")"
compare "a document with line breaks keeps some" '{' "$(head -n 1 "$work/out")"
finish
for file in shop.plist shop-binary.plist; do
  gives "$(sed 's/3.25/4.5/' Fixtures/shop.plist)" set 'items[0].price' 4.5 -f $file
done
fails 'the value cannot be set: a property list holds no null.' set name null -f shop.plist
fails 'the value cannot be set: a property list holds no null.' set name '[1, null]' -f shop.plist

echo "--- bad paths"
fails 'there is no "nmae" in the document. Did you mean "name"? Its keys: big, items, name, odd.keys, open, owner, rating.' \
  get nmae -f shop.json
fails 'there is no "prise" in "items". Did you mean "price"? Its keys: count, name, note, price, tags.' \
  get items.prise -f shop.json
fails 'there is no "prise" in "items.@sum". Did you mean "price"? Its keys: count, name, note, price, tags.' \
  get items.@sum.prise -f shop.json
fails 'there is no "nam" in "items[0]". Did you mean "name"? Its keys: count, name, price, tags.' \
  get 'items[0].nam' -f shop.json
fails 'there is no "first" in "name", which is a string.' get name.first -f shop.json
fails 'there is no "x" in the document. Its keys: a, b.' get x.y -f compact.json
fails 'index 3 is out of range: valid indexes are 0 to 2.' get 'items[3]' -f shop.json
fails 'index 0 is out of range: the collection is empty.' get 'items[2].tags[0]' -f shop.json
fails '"items[" is not a key path: at offset 5, the bracket opened here is never closed; expected "]".' get 'items[' -f shop.json
fails '"" is not a key path: at offset 0, a key path is never empty; expected a key.' get '' -f shop.json
run get items.@smu.price -f shop.json
bad=0
case "$(cat "$work/err")" in
  'kv: unknown operator "@smu". Did you mean "@sum"? '*) ;;
  *) compare "standard error" 'kv: unknown operator "@smu". Did you mean "@sum"? …' "$(cat "$work/err")" ;;
esac
compare "lines on standard error" 1 "$(wc -l < "$work/err" | tr -d ' ')"
compare "exit code" 1 "$code"
finish
fails '@sum: element 0: the String "tea" is not a number.' get items.@sum.name -f shop.json
fails 'there is no "a" in "b", which is an integer.' keys b.a -f compact.json
fails '"b" has no keys: it is or holds an integer.' keys b -f compact.json
fails '"owner" is null, and has no keys.' keys owner -f shop.json
fails 'there is no "itmes" in the document. Did you mean "items"? Its keys: big, items, name, odd.keys, open, owner, rating.' \
  set 'itmes[0].price' 1 -f shop.json
fails '"name" cannot be set: "owner" is null.' set owner.name x -f shop.json
fails '"first" cannot be set: "name" is or holds a string, which has no keys.' set name.first x -f shop.json
fails 'index 9 is out of range: valid indexes are 0 to 2.' set 'b[9]' x -f compact.json
fails 'the document is null, and has no keys.' get a -f null.json
fails 'the document is null, and has no keys.' set a 1 -f null.json
fails 'the document is null, and has no keys.' keys -f null.json

echo "--- bad files"
fails 'cannot read "shopp.json": there is no such file. Did you mean "shop.json"?' get name -f shopp.json
fails 'cannot read "nowhere/at-all.json": there is no directory "nowhere".' get name -f nowhere/at-all.json
fails 'cannot read ".": it is a directory.' get name -f .
fails 'cannot read "bad.json": not JSON: at b, line 3, column 14, expected "," or "]", found "3".' get a -f bad.json
fails 'cannot read "bad.json": not JSON: at b, line 3, column 14, expected "," or "]", found "3".' set a 1 -f bad.json
fails 'cannot read "empty.json": not JSON: at line 1, column 1, expected a value, found the end of the document.' keys -f empty.json
fails 'cannot read standard input: not JSON: at line 1, column 1, expected a value, found the end of the document.' get a
fails 'cannot read "not-utf8.json": not JSON: at [1], line 1, column 6, the byte 0xFF is not UTF-8.' get a -f not-utf8.json
run get a -f bad.plist
bad=0
case "$(cat "$work/err")" in
  'kv: cannot read "bad.plist": not a property list: '*) ;;
  *) compare "standard error" 'kv: cannot read "bad.plist": not a property list: …' "$(cat "$work/err")" ;;
esac
compare "lines on standard error" 1 "$(wc -l < "$work/err" | tr -d ' ')"
compare "exit code" 1 "$code"
finish

echo "--- kv query"
gives 'count  name    note  price  tags
   10  tea            3.25  ["hot","green"]
    0  coffee            5  ["hot"]
    7  jam             2.5  []' query items shop.json
for order in "-price" "price:descending" "+count, name:natural"; do
  gives 'name    price
coffee      5
tea      3.25' query items shop.json --where "price > 2.6 AND name CONTAINS[c] 'E'" --sort "$order" --select name,price
done
gives 'name    price
coffee      5
tea      3.25' query shop.json items --where 'ANY tags == "hot"' --sort name --select name,price
input=shop.json gives 'name
jam' query items --where 'tags.@count == 0' --select name
gives 'name    tags.@count
jam               0
coffee            1
tea               2' query items -f shop.json --sort tags.@count --select name,tags.@count
gives 'note: null (3)
  name
  jam
  tea
  coffee' query items shop.json --sort price:ascending:nullsLast,name --group note --select name
gives 'tags.@firstObject: hot (2)
  name    price
  coffee      5
  tea      3.25

tags.@firstObject: null (1)
  name    price
  jam       2.5' query items shop.json --sort name --group tags.@firstObject --select name,price --where 'name != "x"'
gives '{"name":"coffee","tags.@count":1}
{"name":"jam","tags.@count":0}' query items shop.json -o jsonl --select name,tags.@count --where 'name < "k"' --sort name
gives '{"count":7,"name":"jam","price":2.5,"tags":[]}' query items shop.json --output jsonl --where 'name == "jam"'
gives '{"key":"hot","count":2,"elements":[{"name":"tea"},{"name":"coffee"}]}
{"key":null,"count":1,"elements":[{"name":"jam"}]}' query items shop.json -o jsonl --group tags.@firstObject --select name
crlf=$'\r'
gives "count,name,note,price,tags$crlf
10,tea,,3.25,\"[\"\"hot\"\",\"\"green\"\"]\"$crlf
0,coffee,,5,\"[\"\"hot\"\"]\"$crlf
7,jam,,2.5,[]$crlf" query items shop.json --output csv
gives "tags.@firstObject,name$crlf
hot,tea$crlf
hot,coffee$crlf
,jam$crlf" query items shop.json --output csv --group tags.@firstObject --select name
gives "name,price$crlf
tea,3.25$crlf" query items shop-binary.plist --output csv
gives 'key    value
a[0]   brackets
é "q"  quotes' query '["odd.keys"]' shop.json
gives 'self
hot' query 'items[0].tags' shop.json --where "SELF BEGINSWITH 'h'"
gives '' query 'items[2].tags' shop.json
gives 'name  price' query items shop.json --where FALSEPREDICATE --select name,price
gives 'name
jam' query items shop.json --where 'name LIKE "j*" AND price < 3' --permit name,price --select name
points '--where: "price >" is not a predicate: at offset 7, expected an expression, and found the end.
  price >
         ^' query items shop.json --where 'price >'
points '--where: "née == ) x" is not a predicate: at offset 7, expected an expression, and found ")".
  née == ) x
         ^' query items shop.json --where 'née == ) x'
points '--sort: unknown word "descendin" behind "price". Did you mean "descending"? The words: ascending, descending, natural, caseInsensitive, localized, nullsFirst, nullsLast.
  name, -price : descendin
                 ^' query items shop.json --sort 'name, -price : descendin'
points '--sort: the direction of "price" is given twice.
  -price:descending
         ^' query items shop.json --sort '-price:descending'
points '--select: "a..b" is not a key path: at offset 2, expected a key.
  name,a..b
         ^' query items shop.json --select name,a..b
points '--group: only one key path is expected.
  name,price
       ^' query items shop.json --group name,price
fails 'there is no "pirce" in "items". Did you mean "price"? Its keys: count, name, note, price, tags.' \
  query items shop.json --where 'pirce > 3'
fails 'there is no "prise" in "items". Did you mean "price"? Its keys: count, name, note, price, tags.' \
  query items shop.json --sort name,-prise
fails 'there is no "nmae" in "items". Did you mean "name"? Its keys: count, name, note, price, tags.' \
  query items shop.json --select nmae
fails 'there is no "first" in "name" of "items", which is a string.' query items shop.json --group name.first
fails '"items[0]": the String "tea" and the Int 3 cannot be compared by >: name > 3.' \
  query items shop.json --where 'name > 3'
fails 'cannot sort by "tags", which is an array: it takes values that can be compared. Leave rows out with --where.' \
  query items shop.json --sort tags
fails '--where: the predicate is not permitted: it reads "nmae". Did you mean "name"? Permitted are: name.' \
  query items shop.json --where 'nmae == 1' --permit name
fails '--where: the predicate is not permitted: it uses MATCHES, which may take any time; use LIKE.' \
  query items shop.json --where 'name MATCHES "(a+)+"' --permit name
fails '--where: the predicate is not permitted: it uses SUBQUERY; nested ones multiply their time.' \
  query items shop.json --where 'SUBQUERY({1, 2}, $x, TRUEPREDICATE)[SIZE] > 0' --permit name
fails '--where: the predicate is not permitted: it calls length. Permitted functions: none.' \
  query items shop.json --where 'length(name) > 3' --permit name
fails '--where: the condition has more than 10000 characters.' \
  query items shop.json --permit name --where "name IN {'$(printf '%10000s')'}"
fails '"owner" is null, and has no rows.' query owner shop.json
fails '"name" has no rows: it is a string, neither an array nor an object.' query name shop.json
fails 'cannot read "shopp.json": there is no such file. Did you mean "shop.json"?' query items shopp.json
misused "The value 'xml' is invalid for '-o <output>'" query items shop.json -o xml
misused "Missing value for '--where <format>'" query items shop.json --where
run query items shop.json --progress --where 'price > 3' --sort name --group name --select name
bad=0
compare "standard error" 'kv: reading "shop.json"
kv: filtering 3 rows
kv: sorting 2 rows
kv: grouping 2 rows
kv: printing 2 rows' "$(cat "$work/err")"
compare "exit code" 0 "$code"
finish

echo "--- usage"
misused "Missing expected argument '<path>'" get
misused "Missing expected argument '<value>'" set name
misused "Unexpected argument 'sponge'" get name shop.json sponge
misused "Unknown option '--rwa'" get name --rwa
misused "Missing value for '-f" get name -f
misused 'there is no command "fetch". The commands: get, ' fetch name
for arguments in --help "help get" "set --help"; do
  # shellcheck disable=SC2086
  run $arguments
  bad=0
  compare "the help begins with" "OVERVIEW:" "$(head -c 9 "$work/out")"
  compare "exit code" 0 "$code"
  finish
done

echo "--- version"
released="$(sed -nE 's/^## \[?([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' ../CHANGELOG.md | head -n 1)"
gives "kv ${released:-0.1.0}" --version # the newest version of CHANGELOG

echo "--- kv watch"
rewritten() {
  put '{"name": "Corner Shop", "open": true, "items": [{"name": "mate", "price": 4}, {"name": "tea", "price": 3}]}'
  told '+ open'
  put '{"open": true, "odd.keys": {"a b": null, "c": [1]}, "items": [{"name": "mate", "price": 4}, {"name": "tea", "price": 3.5}]}'
  told '~ items[1].price'
  put '{"open": true, "odd.keys": {"c": [1, [2]]}, "items": [{"name": "tea", "price": 3.5}, {"name": "mate", "price": 4}]}'
  told '+ ["odd.keys"].c[1]'
}
watch rewritten '- items[1]: {"name":"jam","price":2}
+ items[0]: {"name":"mate","price":4}
~ name: "shop" → "Corner Shop"
+ open: true
- name: "Corner Shop"
~ items[1].price: 3 → 3.5
+ ["odd.keys"]: {"a b":null,"c":[1]}
- items[0]: {"name":"mate","price":4}
+ items[1]: {"name":"mate","price":4}
+ ["odd.keys"].c[1]: [2]' ''
computed() {
  put '{"name": "Corner Shop", "items": [{"name": "mate", "price": 4}, {"name": "tea", "price": 3}]}'
  told '→ 7'
  put '{"odd.keys": {"c": [1]}, "items": [{"name": "mate", "price": 4}, {"name": "tea", "price": 3.5}]}'
  told '→ 7.5'
}
watch computed '~ name: "shop" → "Corner Shop"
~ items.@sum.price: 5 → 7
- name: "Corner Shop"
+ ["odd.keys"]: {"c":[1]}
~ items.@sum.price: 7 → 7.5' 'kv: there is no "odd.keys" in the document. Its keys: items, name.' name items.@sum.price '["odd.keys"]'
replaced() {
  for name in one two three; do
    printf '{"name": "%s", "items": []}' "$name" > "$work/new.json"
    mv "$work/new.json" "$work/live.json"
    told "→ \"$name\""
  done
}
watch replaced '~ name: "shop" → "one"
~ name: "one" → "two"
~ name: "two" → "three"' '' name
faulty() {
  put '{"name": "oops'
  told 'not JSON'
  put '[]'
  told 'an array'
  rm "$work/live.json"
  told 'is gone'
  put '{"name": "back"}'
  told '"back"'
}
watch faulty '~ name: "shop" → "back"' 'kv: "live.json" is left as it was: not JSON: at name, line 1, column 10, the string that begins here has no end on its line; a line break in it is written \n.
kv: "live.json" is left as it was: the document is an array, not an object.
kv: "live.json" is gone; waiting for it.' name
counted() {
  put '{"items": []}'
  wait "$pid"
}
watch counted '- name: "shop"' '' name --count 1
misused "Missing expected argument '<file>'" watch
misused "Standard input cannot be watched" watch -
misused "'--interval' has to be above 0" watch shop.json --interval 0
misused "The value 'x' is invalid for '--interval <interval>'" watch shop.json --interval x
misused "Unknown option '--forever'" watch shop.json --forever
fails 'cannot read "shopp.json": there is no such file. Did you mean "shop.json"?' watch shopp.json
fails 'cannot read "bad.json": not JSON: at b, line 3, column 14, expected "," or "]", found "3".' watch bad.json
fails 'cannot watch "null.json": the document is null, not an object.' watch null.json
fails '"a..b" is not a key path: at offset 2, expected a key.' watch a..b shop.json
fails '"items.name" cannot be watched: a path begins with a key, and leads through an array by an index, as in items[0].name, or an operator, as in items.@count.' \
  watch items.name shop.json
fails 'there is no "first" in "name", which is a string.' watch name.first shop.json
fails '@sum: element 0: the String "tea" is not a number.' watch items.@sum.name shop.json

echo "--- kv check"
note='kv: picker-bindings.plist: binding 3: the library has no transformer "ILBindingsTestBrightnessStringTransformer".'
checks "5 bindings, no faults." "$note" picker-bindings.plist
checks "5 bindings, no faults." "$note" picker-bindings.plist --against picker.json
checks "1 binding, no faults." 'kv: bindings.json: binding 1: the library has no transformer "negatBoolean". Did you mean "negateBoolean"?' \
  bindings.json
input=bindings.json checks "1 binding, no faults." \
  'kv: standard input: binding 1: the library has no transformer "negatBoolean". Did you mean "negateBoolean"?' -
faults 'kv: bad-bindings.json: binding 1 "red": values would go back to the source, but the transformer "isNil" works forward only. Let the direction be "oneWay", or choose one that works both ways.
kv: bad-bindings.json: line 8, binding 3 "green": unknown entry "dirction". Did you mean "direction"? Known entries: allowsEditingMultipleValues, direction, fallback, initialSync, key, multipleValues, noSelection, notApplicable, nullPlaceholder, pathToSource, pathToTarget, skipsEqual, sourceKeyPath, targetKeyPath, transformerName, trigger, validates.
kv: bad-bindings.json: line 8, binding 3 "green": "direction" is missing: it is "oneWay", "twoWay", "once" or "toSource".
kv: bad-bindings.json: line 8, binding 3 "green": "sourceKeyPath": "blue.." is not a key path: at offset 5, expected a key.
kv: bad-bindings.json: line 8, binding 3 "green": the key "green" is that of binding 2 already. Choose another, or leave it out.' \
  bad-bindings.json
faults 'kv: bad-bindings.json: binding 1 "red": values would go back to the source, but the transformer "isNil" works forward only. Let the direction be "oneWay", or choose one that works both ways.
kv: bad-bindings.json: binding 2 "green": "pathToTarget": there is no "greenSlidr" in the document. Did you mean "greenSlider"? Its keys: blue, blueSlider, colorDisplayView, green, greenSlider, red, redSlider, selectedColor, title.
kv: bad-bindings.json: line 8, binding 3 "green": unknown entry "dirction". Did you mean "direction"? Known entries: allowsEditingMultipleValues, direction, fallback, initialSync, key, multipleValues, noSelection, notApplicable, nullPlaceholder, pathToSource, pathToTarget, skipsEqual, sourceKeyPath, targetKeyPath, transformerName, trigger, validates.
kv: bad-bindings.json: line 8, binding 3 "green": "direction" is missing: it is "oneWay", "twoWay", "once" or "toSource".
kv: bad-bindings.json: line 8, binding 3 "green": "sourceKeyPath": "blue.." is not a key path: at offset 5, expected a key.
kv: bad-bindings.json: line 8, binding 3 "green": the key "green" is that of binding 2 already. Choose another, or leave it out.
kv: bad-bindings.json: binding 4: "sourceKeyPath": there is no "selectedColour" in the document. Did you mean "selectedColor"? Its keys: blue, blueSlider, colorDisplayView, green, greenSlider, red, redSlider, selectedColor, title.' \
  bad-bindings.json --against picker.json
fails 'shop.json: line 1: "bindings" is missing: it holds the definitions.' check shop.json

echo "--- kv studio"
fails 'none.json: There is no file "none.json".' studio none.json
fails '../check.sh: "../check.sh" is not below the directory of the studio.' studio ../check.sh
fails 'bad.json: not JSON: at b, line 3, column 14, expected "," or "]", found "3".' studio bad.json
fails 'null.json: it has no object or list at its top.' studio null.json
misused "The value 'x' is invalid for '-p <port>'" studio -p x
misused "The value '70000' is invalid for '--port <port>'" studio --port 70000

echo "--- kv tour"
gives "$(cat tour-expected.txt)" tour

echo
if [ "$failures" -gt 0 ]; then
  echo "FAILED: $failures of $runs runs"
  exit 1
fi
echo "All $runs runs gave what was expected."
