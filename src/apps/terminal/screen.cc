#include "src/apps/terminal/screen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <iterator>

#include "src/apps/command_line/interruption.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?25h\x1b[?1049l";
constexpr std::string_view kOwnColours = "\x1b[0m";
constexpr cc_t kShortWhile = 1;  // tenths of a second
constexpr std::chrono::milliseconds kTenth(100);
constexpr std::chrono::milliseconds kBeforeNextTry(1);
constexpr std::chrono::milliseconds kBeforeNoText(500);
constexpr std::uint32_t kUsualColumns = 80;
constexpr std::uint32_t kUsualRows = 24;
constexpr std::uint32_t kMostColumns = 400;
constexpr std::uint32_t kMostRows = 200;

std::unexpected<Error> Refused(const char* what) {
  return Fail(ErrorCode::kNotFound, "terminal", 0, what);
}

// Columns and rows. A terminal that does not know has the usual ones.
struct Cells {
  std::uint32_t columns = kUsualColumns;
  std::uint32_t rows = kUsualRows;
};
Cells CellsOf(int terminal) {
  winsize window{};
  if (::ioctl(terminal, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0)
    return {};
  return {std::clamp<std::uint32_t>(window.ws_col, 2, kMostColumns),
          std::clamp<std::uint32_t>(window.ws_row, 2, kMostRows)};
}

}  // namespace

bool Screen::IsTerminal(int in, int out) { return ::isatty(in) == 1 && ::isatty(out) == 1; }

bool Screen::TakesText(int out) {
  // Opened once more: whether writes block is shared with the program that started this one.
  std::array<char, 256> name;
  if (::ttyname_r(out, name.data(), name.size()) != 0) return false;
  const int terminal = ::open(name.data(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (terminal < 0) return false;
  const auto last = EngineSync::clock::now() + kBeforeNoText;
  bool taken = false;
  do {
    taken = ::write(terminal, kOwnColours.data(), kOwnColours.size()) > 0;
    if (!taken) EngineSync::SleepUntil(EngineSync::clock::now() + kBeforeNextTry);
  } while (!taken && EngineSync::clock::now() < last);
  ::close(terminal);
  return taken;
}

Result<std::unique_ptr<Screen>> Screen::Open(int in, int out) {
  termios before{};
  if (::tcgetattr(in, &before) != 0) return Refused("its settings cannot be read");
  termios keys = before;
  // Ctrl-C stays a signal. Ctrl-Z would stop the program with the terminal as it is here.
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VSUSP] = _POSIX_VDISABLE;
  keys.c_cc[VMIN] = 0;  // a read waits for kShortWhile at most
  keys.c_cc[VTIME] = kShortWhile;
  if (::tcsetattr(in, TCSADRAIN, &keys) != 0) return Refused("its settings cannot be changed");
  auto screen = std::make_unique<Screen>(Key(), in, out, before);
  if (!screen->Write(kEnter)) return Refused("it takes no text");
  return screen;
}

Screen::~Screen() {
  // An end is held up neither by a terminal that takes no text nor by one that is gone.
  if (!IsInterrupted() || TakesText(out_)) static_cast<void>(Write(kLeave));
  static_cast<void>(::tcsetattr(in_, TCSADRAIN, &before_));
}

PictureSize Screen::size() const {
  const Cells cells = CellsOf(out_);
  return {cells.columns, 2 * (cells.rows - 1)};
}

bool Screen::Show(std::string_view picture, std::string_view line) {
  if (IsInterrupted()) return false;
  const Cells cells = CellsOf(out_);
  text_ = "\x1b[H";
  text_ += picture;
  fmt::format_to(std::back_inserter(text_), "\x1b[{};1H{}\x1b[K", cells.rows,
                 line.substr(0, cells.columns));
  return Write(text_);
}

bool Screen::ReadKeys(std::string& bytes) {
  bytes.clear();
  std::array<char, 256> buffer;
  const ssize_t got = ::read(in_, buffer.data(), buffer.size());
  if (got < 0 && errno == EAGAIN) {
    // As in Write; the terminal's own time counts nothing then.
    EngineSync::SleepUntil(EngineSync::clock::now() + kShortWhile * kTenth);
    return true;
  }
  if (got < 0) return errno == EINTR;
  bytes.assign(buffer.data(), static_cast<std::size_t>(got));
  termios settings{};
  // No key in this while, or no terminal any more.
  return got > 0 || ::tcgetattr(in_, &settings) == 0;
}

bool Screen::Write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(out_, text.data(), text.size());
    if (written < 0 && errno == EAGAIN) {
      // The program that started this one has made the terminal so.
      EngineSync::SleepUntil(EngineSync::clock::now() + kBeforeNextTry);
    } else if (written < 0 && errno != EINTR) {
      return false;
    } else if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    // A signal has ended a write that stalled.
    if (!text.empty() && IsInterrupted()) return false;
  }
  return true;
}

}  // namespace nowait
