# A GTP engine for a test: it passes, resigns, breaks the rules or dies, as its seed has it.
seed=0
moves=0
while read -r id name argument rest; do
  case $name in
    protocol_version) answer=2 ;;
    known_command)
      case $argument in
        set_random_seed | final_score) answer=true ;;
        *) answer=false ;;
      esac ;;
    clear_board) moves=0 answer= ;;
    set_random_seed) seed=$argument answer= ;;
    genmove)
      moves=$((moves + 1))
      case $((seed % 4)) in
        0 | 1) answer=pass ;;
        2) if [ $moves -gt 1 ]; then answer=resign; else answer=pass; fi ;;
        3) if [ $((seed % 8)) = 3 ]; then echo "out of ideas" >&2; exit 1; fi; answer=Z9 ;;
      esac ;;
    final_score) if [ $((seed % 4)) = 0 ]; then answer=B+9; else answer=W+9; fi ;;
    *) answer= ;;
  esac
  printf '=%s %s\n\n' "$id" "$answer"
done
