//===- Outside.h - A search by another program ------------------*- C++ -*-===//
//
// Another program chooses candidates, as an optimizer in Python does. It reads a line of JSON for
// each candidate, and one at their end:
//
//   {"candidate":0,"keys":{"macro.0":"64","stages":"4"},"plan":"<macro = ..>","predicted":0.0254}
//   {"candidates":6721,"operation":"v1 gemm type=f32 op=nn m=1000 n=1000 k=1000"}
//
// and writes requests, each of which is answered by a line for each of its candidates:
//
//   {"measure":[3,12],"samples":10}
//   {"candidate":3,"gain":1.05,"milliseconds":0.0241,"samples":10}      median of all samples so
//   far
//   {"candidate":12,"error":"row 0 of matrix 0: .."}                    it failed
//   {"candidate":12,"sameAs":3}                                         it has the kernel of
//   another
//   {"neighbours":3}           lines of new candidates, those with one other value, and their end
//
// A request that cannot be read is answered by {"error":".."}.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_SEARCH_OUTSIDE_H
#define ROOFTILE_TUNING_SEARCH_OUTSIDE_H

#include "rooftile/Tuning/Search/Strategy.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <istream>

namespace rooftile::tuning {

/// Asks for what another program requests, until `in` ends, and writes results to `out`.
class Outside : public Strategy {
public:
  Outside(Space &space, std::string operation, std::istream &in, llvm::raw_ostream &out);

  std::vector<Trial> ask() override;
  void tell(size_t candidate, const TrialResult &result) override;

private:
  void write(llvm::json::Object object);
  /// Writes the candidates from `first` on.
  void list(size_t first);
  /// Trials of a request; none where it is answered already.
  llvm::Expected<std::vector<Trial>> read(llvm::StringRef line);
  llvm::Expected<std::vector<Trial>> measure(llvm::ArrayRef<int64_t> candidates,
                                             int64_t samples) const;
  llvm::Error addNeighbours(int64_t candidate);

  std::string operation;
  std::istream &in;
  llvm::raw_ostream &out;
  double baselineMs = NAN; ///< As of the first result: clocks that drift do not change the others.
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_OUTSIDE_H
