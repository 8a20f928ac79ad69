//===- Groups.h - Groups of tests -------------------------------*- C++ -*-===//
#ifndef ROOFTILE_TEST_BLAS_GROUPS_H
#define ROOFTILE_TEST_BLAS_GROUPS_H

// Results.cpp: of any device.
void testZeros();        ///< Calls without a product.
void testProducts();     ///< Products of every type, by every interface.
void testTriangular();   ///< Every combination of letters.
void testThreads();      ///< Two at once.
void testUnaligned();    ///< Complex matrices that are aligned to their real parts only.
void testSpread();       ///< NaN in a row of triangular operations.
void testOne();          ///< One product of doubles.
void testComplexSolve(); ///< One ztrsm_.

// Updates.cpp: symmetric products and rank updates.
void testUpdates();      ///< Calls on any device.
void testUpdateZeros();  ///< Calls without a product.
void testUpdatePanels(); ///< In tiles, on the driver without a GPU.
void testUpdateStatus(); ///< A tile fails.

// Ways.cpp: who computes.
void testForwarded(); ///< Calls reach the next BLAS once.
void testRefused();   ///< Calls that our library refuses.
void testFork();      ///< A child forwards.
void testRoute();     ///< Small ones are forwarded, large ones are taken.

// Callers.cpp: whose BLAS a call is forwarded to.
void testCallers();  ///< That of the caller, or of the program.
void testWrapper();  ///< A library that stands before ours and calls the next one.
void testOverhead(); ///< Overhead of a call that is forwarded.

// Panels.cpp: on the driver without a GPU.
void testPanels();  ///< Results of calls in parts.
void testOverlap(); ///< Copies of one part beside those of the next.
void testStatus();  ///< A part fails; the rest is forwarded.
void testDriver();  ///< The driver fails.
void testMemory();  ///< The device's memory does not suffice.
void testLost();    ///< One of two devices fails.
void testDevices(); ///< Calls that a list of devices shares.

// Errors.cpp: bad arguments.
void testErrors();   ///< Told by the next BLAS.
void testHandlers(); ///< Told by the program.

#endif // ROOFTILE_TEST_BLAS_GROUPS_H
