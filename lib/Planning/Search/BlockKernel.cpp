//===- BlockKernel.cpp - How the kernel of one block moves its memory -----===//
//
// A thread has a line, or several. Neighbouring threads read neighbours in memory where lines lie
// beside each other, and many of them; else lines pass through shared memory. A
// triangle that all threads read is read in wide accesses from there, and so are
// those of a batch, each by the few threads of its matrix.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Planning/Search/Lines.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;
using blas::Via;

/// Workgroups that a unit is to hold, so that some copy while others compute.
static constexpr int64_t kResident = 3;

/// Order of what becomes one kernel.
static int64_t kernelOrder(const TriangularProblem &problem, const Blocks &blocks) {
  int64_t order = blocks.method == blas::Method::Invert ? blocks.base : blocks.diagonal;
  return order == 0 ? problem.order : std::min(order, problem.order);
}

static int64_t bytesOfStage(const TriangularProblem &problem, const Blocks &blocks) {
  int64_t order = kernelOrder(problem, blocks), bytes = 0;
  int64_t each = problem.lines / problem.batch;
  if (blocks.a == Via::Shared)
    bytes += stagedBytes(problem, order, {blocks.rows, blocks.threadLines},
                         problem.triangles > 1 ? blocks.matrices : 1);
  if (blocks.b == Via::Shared)
    bytes += blas::StagedLines(order, std::min(each, blocks.workgroup * blocks.threadLines),
                               blocks.matrices, problem.alongLine, problem.elementBytes)
                 .bytes();
  return bytes;
}

void planning::chooseKernel(const TriangularProblem &problem, Blocks &blocks,
                            blas::TargetAttr target) {
  int64_t order = kernelOrder(problem, blocks);
  if (blocks.method != blas::Method::Substitute || blocks.sharedLines > 0 || problem.assumed ||
      problem.batch == 0 || problem.lines == 0)
    return;
  int64_t each = problem.lines / problem.batch, subgroup = target.getSubgroup();
  auto place = [&](int64_t threads) {
    bool oneLine = blocks.threadLines == 1;
    blocks.matrices = oneLine ? std::max<int64_t>(1, std::min(problem.batch, threads / each)) : 1;
    // Neighbouring threads fill lines of memory where those of a subgroup have one matrix.
    bool few = blocks.matrices > 1 && each < subgroup;
    blocks.b = few || problem.alongLine ? Via::Shared : Via::Register;
    bool own = problem.triangles > 1 && blocks.matrices > 1;
    blocks.a = order > 1 && (own || order >= kWideOrder) ? Via::Shared : Via::Register;
    blocks.workgroup = std::min(
        threads, int64_t(llvm::alignTo(llvm::divideCeil(each * blocks.matrices, blocks.threadLines),
                                       subgroup)));
  };
  int64_t most = target.getSharedBytesPerUnit() / kResident, threads = blocks.workgroup;
  bool alone = problem.triangles == 1 && each >= 2 * subgroup; // matrices have workgroups of theirs
  if (alone)
    threads = lineThreads(problem, order, {blocks.rows, blocks.threadLines}, target);
  place(threads);
  while (!alone && threads > subgroup && bytesOfStage(problem, blocks) > most)
    place(threads /= 2);
  if (bytesOfStage(problem, blocks) > target.getSharedBytesPerBlock())
    blocks.matrices = 1, blocks.a = blocks.b = Via::Register;
}
