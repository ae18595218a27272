// Screen: a terminal that shows pictures, from Open until the end of its life, and its keyboard.
//
// Thread safety: Show by one thread at a time; ReadKeys by one thread at a time; size by any.
// Blocking: Show waits for a terminal that takes no text for now, and ReadKeys for a key.
// Source: ECMA-48; termios(3). The sequences for the second page and the cursor are DEC's private
// modes 1049 and 25.
#ifndef NOWAIT_SRC_APPS_TERMINAL_SCREEN_H_
#define NOWAIT_SRC_APPS_TERMINAL_SCREEN_H_

#include <termios.h>

#include <memory>
#include <string>
#include <string_view>

#include "src/apps/terminal/camera.h"
#include "src/base/result.h"

namespace nowait {

class Screen {
  class Key {
    friend class Screen;
    Key() {}
  };

 public:
  // Whether both are a terminal.
  static bool IsTerminal(int in, int out);
  // Whether the terminal takes text, now or in half a second: its reader may have stopped it.
  static bool TakesText(int out);

  // Turns to the terminal's second page and hides its cursor; keys are read one by one, and not
  // shown. kNotFound "terminal": the system refuses one of that.
  static Result<std::unique_ptr<Screen>> Open(int in, int out);
  Screen(Key, int in, int out, const termios& before) : in_(in), out_(out), before_(before) {}
  // As the terminal was before.
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Of a picture that leaves one row for the line below it; 2 x 2 at least.
  PictureSize size() const;

  // The picture's text (ColourText), and a line below it, which is cut off at the right edge.
  // False: the terminal is gone, or the program has been interrupted (IsInterrupted).
  bool Show(std::string_view picture, std::string_view line);

  // Waits for bytes from the keyboard, for a tenth of a second at most, and replaces those in
  // `bytes`. False: there will be no more.
  bool ReadKeys(std::string& bytes);

 private:
  // False: the terminal is gone, or the program has been interrupted while it stalled.
  bool Write(std::string_view text) const;

  const int in_;
  const int out_;
  const termios before_;
  std::string text_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_SCREEN_H_
