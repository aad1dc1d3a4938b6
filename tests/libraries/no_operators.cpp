// A library that is opened as an operator library and is none.
extern "C" int sinter_test_answer() { return 42; }
