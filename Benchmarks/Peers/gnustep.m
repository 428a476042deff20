// W16, W17 and W20 by Foundation of GNUstep: NSSortDescriptor, NSPredicate and NSUndoManager, on the data of KVBenchmarks.
// Prints the lines that KVBenchmarks prints, with "gnustep" in place of "kv". run.sh builds and runs it.
//
//   gnustep [WORKLOAD ...]   the workloads, by default all of them; Results prints what sorts and filters give
//
// BENCH_SECONDS and BENCH_REPEATS change the length and the number of the repeats. Without ARC and blocks, for GCC.
#import <Foundation/Foundation.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// MARK: Data, as in EmployeeModels.swift

static uint64_t state;

static long below(long bound)
{
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (long)((state >> 33) % (uint64_t)bound);
}

static NSString *letters(int count)
{
  char text[64];
  for (int i = 0; i < count; i++) text[i] = (char)(97 + below(26));
  return [[[NSString alloc] initWithBytes: text length: count encoding: NSUTF8StringEncoding] autorelease];
}

@interface Team : NSObject { NSString *name; }
@property (nonatomic, retain) NSString *name;
@end
@implementation Team
@synthesize name;
@end

@interface SalesOrder : NSObject { double total; }
@property (nonatomic, assign) double total;
@end
@implementation SalesOrder
@synthesize total;
@end

@interface Employee : NSObject
{ NSString *name; long age; double salary; BOOL isManager; NSString *city, *file; Team *team; NSArray *orders; @public unsigned number; }
@property (nonatomic, retain) NSString *name, *city, *file;
@property (nonatomic, assign) long age;
@property (nonatomic, assign) double salary;
@property (nonatomic, assign) BOOL isManager;
@property (nonatomic, retain) Team *team;
@property (nonatomic, retain) NSArray *orders;
@end
@implementation Employee
@synthesize name, city, file, age, salary, isManager, team, orders;
@end

static NSArray *staff(int count, int orderCount)
{
  NSMutableArray *teams = [NSMutableArray array], *result = [NSMutableArray array];
  state = 16;
  for (int i = 0; i < 20; i++)
    {
      Team *team = [[Team new] autorelease];
      [team setName: [letters(8) stringByAppendingFormat: @"%d", i]];
      [teams addObject: team];
    }
  for (int i = 0; i < count; i++)
    {
      NSAutoreleasePool *pool = [NSAutoreleasePool new];
      NSMutableArray *orders = [NSMutableArray array];
      Employee *employee = [Employee new];
      employee->number = (unsigned)i;
      [employee setName: letters(12)];
      [employee setAge: below(100)];
      [employee setSalary: (double)below(100000)];
      [employee setCity: @""];
      [employee setFile: [NSString stringWithFormat: @"file%ld.txt", below(100000)]];
      [employee setTeam: [teams objectAtIndex: below(20)]];
      for (int j = 0; j < orderCount; j++)
        {
          SalesOrder *order = [[SalesOrder new] autorelease];
          [order setTotal: (double)below(1000)];
          [orders addObject: order];
        }
      [employee setOrders: orders];
      [result addObject: employee];
      [employee release];
      [pool release];
    }
  return [[NSArray alloc] initWithArray: result];
}

// MARK: Timing, as in Harness.swift

static double shortest = 0.3;
static int repeats = 5;
static int wantedCount;
static char **wantedNames;

static BOOL wanted(const char *workload)
{
  for (int i = 0; i < wantedCount; i++) if (!strcmp(wantedNames[i], workload)) return YES;
  return wantedCount == 0;
}

static double threadSeconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int compareDoubles(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double run(void (*operation)(void), long count)
{
  double start = threadSeconds();
  for (long i = 0; i < count; i++)
    {
      NSAutoreleasePool *pool = [NSAutoreleasePool new];
      operation();
      [pool release];
    }
  return threadSeconds() - start;
}

// Prints the median of the repeats, in nanoseconds for each part of an operation.
static void measure(const char *workload, const char *row, long parts, void (*operation)(void))
{
  double times[64], seconds;
  long count = 1;
  if (!wanted(workload)) return;
  run(operation, 1);
  while ((seconds = run(operation, count)) < shortest / 8) count *= 2;
  if (seconds < shortest) count = (long)(count * shortest * 1.07 / seconds) + 1;
  for (int i = 0; i < repeats; i++) times[i] = run(operation, count) * 1e9 / count / parts;
  qsort(times, repeats, sizeof(double), compareDoubles);
  printf("gnustep %s %s %.2f min %.2f max %.2f\n", workload, row, times[repeats / 2], times[0], times[repeats - 1]);
  fflush(stdout);
}

// MARK: W16 and W17

enum { EMPLOYEES = 100000, BUYERS = 10000 };
static NSArray *employees, *buyers, *byName, *byAge, *byTeamAndAge;
static NSPredicate *ages, *begins, *contains, *any;
static volatile long sink;

static NSArray *descriptors(NSString *first, BOOL second)
{
  NSSortDescriptor *a = [[[NSSortDescriptor alloc] initWithKey: first ascending: YES] autorelease];
  NSSortDescriptor *b = [[[NSSortDescriptor alloc] initWithKey: @"age" ascending: NO] autorelease];
  return [(second ? [NSArray arrayWithObjects: a, b, nil] : [NSArray arrayWithObject: a]) retain];
}

static void sort(NSArray *order) { sink = (long)[[employees sortedArrayUsingDescriptors: order] count]; }
static void filter(NSArray *array, NSPredicate *p) { sink = (long)[[array filteredArrayUsingPredicate: p] count]; }

static void w16(void) { sort(byName); }
static void w16i(void) { sort(byAge); }
static void w16p(void) { sort(byTeamAndAge); }
static void w17(void) { filter(employees, ages); }
static void w17begins(void) { filter(employees, begins); }
static void w17contains(void) { filter(employees, contains); }
static void w17a(void) { filter(buyers, any); }
static void w17f(void)
{
  sink = (long)[NSPredicate predicateWithFormat: @"age >= 30 AND age < 40"];
  sink = (long)[NSPredicate predicateWithFormat: @"name CONTAINS[cd] 'eb' OR city == 'Wien'"];
}

// MARK: W20

enum { EDITS = 1000 };
static NSUndoManager *undo;

@interface Node : NSObject { @public long age; NSMutableArray *numbers; }
- (void) setAge: (long)value;
- (void) insertNumber: (NSNumber *)number atIndex: (NSUInteger)index;
- (void) removeNumberAtIndex: (NSUInteger)index;
@end
@implementation Node
- (void) setAge: (long)value
{
  [[undo prepareWithInvocationTarget: self] setAge: age];
  age = value;
}
- (void) insertNumber: (NSNumber *)number atIndex: (NSUInteger)index
{
  [[undo prepareWithInvocationTarget: self] removeNumberAtIndex: index];
  [numbers insertObject: number atIndex: index];
}
- (void) removeNumberAtIndex: (NSUInteger)index
{
  NSNumber *number = [numbers objectAtIndex: index];
  [[undo prepareWithInvocationTarget: self] insertNumber: number atIndex: index];
  [numbers removeObjectAtIndex: index];
}
@end
static Node *node;

static void record(void)
{
  [undo beginUndoGrouping];
  for (long i = 1; i <= EDITS; i++) [node setAge: i];
  [undo endUndoGrouping];
}

static void w20(void)
{
  [undo removeAllActions];
  record();
}

static void w20u(void)
{
  [undo undo];
  [undo redo];
}

static void w20insertions(void)
{
  for (int i = 0; i < EDITS; i++) [undo undo];
  for (int i = 0; i < EDITS; i++) [undo redo];
}

// MARK: Results

static void printOrder(const char *name, NSArray *order)
{
  uint32_t digest = 0;
  NSEnumerator *sorted = [[employees sortedArrayUsingDescriptors: order] objectEnumerator];
  Employee *employee;
  while ((employee = [sorted nextObject])) digest = digest * 31 + employee->number;
  printf("result sort %s %u\n", name, digest);
}

static void printMatches(NSString *format, NSArray *array)
{
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  NSString *result;
  NS_DURING
    NSPredicate *predicate = [NSPredicate predicateWithFormat: format];
    result = [NSString stringWithFormat: @"%lu", (unsigned long)[[array filteredArrayUsingPredicate: predicate] count]];
  NS_HANDLER
    result = [NSString stringWithFormat: @"raises %@", [localException name]];
  NS_ENDHANDLER
  printf("result filter %s: %s\n", [format UTF8String], [result UTF8String]);
  fflush(stdout);
  [pool release];
}

static void printResults(void)
{
  printOrder("name", byName);
  printOrder("age", byAge);
  printOrder("team_age", byTeamAndAge);
  NSArray *formats = [NSArray arrayWithObjects: @"age >= 30 AND age < 40", @"name BEGINSWITH[c] 'ab'",
    @"name CONTAINS[cd] 'eb'", @"age < 10 OR age < 40 AND age >= 30", @"age >= 30 AND age < 40 OR age < 10",
    @"NOT age < 10 AND age < 40", @"age BETWEEN {30, 39}", @"name LIKE '*eb?'", @"age IN {1, 2, 3}",
    @"name == NULL", nil];
  for (NSUInteger i = 0; i < [formats count]; i++) printMatches([formats objectAtIndex: i], employees);
  NSArray *quantifiers = [NSArray arrayWithObjects: @"ANY", @"SOME", @"ALL", @"NONE", nil];
  for (NSUInteger i = 0; i < [quantifiers count]; i++)
    {
      NSString *quantifier = [quantifiers objectAtIndex: i];
      printMatches([quantifier stringByAppendingString: @" orders.total > 990"], buyers);
      printMatches([quantifier stringByAppendingString: @" orders.total <= 990"], buyers);
    }
  printMatches(@"orders.@sum.total > 5000", buyers);
  printMatches(@"SUBQUERY(orders, $o, $o.total > 990).@count > 0", buyers);
}

int main(int argc, char **argv)
{
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  (wantedCount = argc - 1, wantedNames = argv + 1);
  if (getenv("BENCH_SECONDS")) shortest = atof(getenv("BENCH_SECONDS"));
  if (getenv("BENCH_REPEATS")) repeats = atoi(getenv("BENCH_REPEATS"));
  if (repeats < 1 || repeats > 64) repeats = 5;
  employees = staff(EMPLOYEES, 0);
  buyers = staff(BUYERS, 10);
  byName = descriptors(@"name", NO);
  byAge = descriptors(@"age", NO);
  byTeamAndAge = descriptors(@"team.name", YES);
  if (wantedCount > 0 && wanted("Results"))
    {
      printResults();
      return 0;
    }
  ages = [[NSPredicate predicateWithFormat: @"age >= 30 AND age < 40"] retain];
  begins = [[NSPredicate predicateWithFormat: @"name BEGINSWITH[c] 'ab'"] retain];
  contains = [[NSPredicate predicateWithFormat: @"name CONTAINS[cd] 'eb'"] retain];
  any = [[NSPredicate predicateWithFormat: @"ANY orders.total > 990"] retain];

  measure("W16", "name", EMPLOYEES, w16);
  measure("W16i", "age", EMPLOYEES, w16i);
  measure("W16p", "team_age", EMPLOYEES, w16p);
  measure("W17", "age", EMPLOYEES, w17);
  measure("W17c", "begins", EMPLOYEES, w17begins);
  measure("W17c", "contains", EMPLOYEES, w17contains);
  measure("W17a", "any", BUYERS, w17a);
  measure("W17f", "parse", 1, w17f);

  undo = [NSUndoManager new];
  [undo setGroupsByEvent: NO];
  node = [Node new];
  node->numbers = [NSMutableArray new];
  measure("W20", "1000_settings_in_a_group", EDITS, w20);
  [undo removeAllActions];
  record();
  w20u();
  if (node->age != EDITS) fprintf(stderr, "# W20: the settings were not done again\n");
  measure("W20u", "undo_redo_1000_settings", 2 * EDITS, w20u);
  [undo removeAllActions];
  for (int i = 0; i < EDITS; i++)
    {
      [undo beginUndoGrouping];
      [node insertNumber: [NSNumber numberWithInt: i] atIndex: i / 2];
      [undo endUndoGrouping];
    }
  w20insertions();
  if ([node->numbers count] != EDITS) fprintf(stderr, "# W20u: the insertions were not done again\n");
  measure("W20u", "undo_redo_1000_single_insertions", 2 * EDITS, w20insertions);
  [pool release];
  return 0;
}
